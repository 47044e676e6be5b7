import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../support/app.ts'

test('listPets answers an empty shop with 200 and an empty array', async (t) => {
  const { send } = await startApp(t)

  const answer = await send('/v1/pets')

  assert.equal(answer.status, 200)
  assert.equal(answer.text, '[]')
})
