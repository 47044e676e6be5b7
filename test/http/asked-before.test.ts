import assert from 'node:assert/strict'
import { test } from 'node:test'
import { askedBefore } from '../../src/http/cache/asked-before.ts'

test('what is asked for again was asked before, until 4,096 others were asked', () => {
  const isAskedAgain = askedBefore()
  const first = [isAskedAgain('/v1/pets'), isAskedAgain('/v1/pets')]

  for (let index = 0; index < 4_096; index++) isAskedAgain(`/v1/pets/${index}`)

  assert.deepEqual([...first, isAskedAgain('/v1/pets')], [false, true, false])
})

test('a question of more than 1,024 characters is not remembered', () => {
  const isAskedAgain = askedBefore()
  const answersTo = (question: string) => [isAskedAgain(question), isAskedAgain(question)]

  assert.deepEqual(answersTo('x'.repeat(1_024)), [false, true])
  assert.deepEqual(answersTo('x'.repeat(1_025)), [false, false])
})
