import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seenBefore } from '../../src/http/cache/seen-before.ts'

test('what is asked for again was asked before, until 4,096 others were asked', () => {
  const isSeenBefore = seenBefore()
  const first = [isSeenBefore('/v1/pets'), isSeenBefore('/v1/pets')]

  for (let index = 0; index < 4_096; index++) isSeenBefore(`/v1/pets/${index}`)

  assert.deepEqual([...first, isSeenBefore('/v1/pets')], [false, true, false])
})

test('a question of more than 1,024 characters is not remembered', () => {
  const isSeenBefore = seenBefore()
  const answersTo = (question: string) => [isSeenBefore(question), isSeenBefore(question)]

  assert.deepEqual(answersTo('x'.repeat(1_024)), [false, true])
  assert.deepEqual(answersTo('x'.repeat(1_025)), [false, false])
})
