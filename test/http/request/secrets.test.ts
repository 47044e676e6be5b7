import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withoutSecrets } from '../../../src/http/request/secrets.ts'

const key = 'a-key-of-20-letters!'
const bearer = `Bearer ${key}`

for (const [text, authorization, expected] of [
  ['/v1/pets?limit=5', bearer, '/v1/pets?limit=5'],
  ['pet_live_abc-1_2, sandbox_ada', undefined, 'pet_live_…, sandbox_…'],
  ['pet_test_abc and pet_invite_abc', undefined, 'pet_test_… and pet_invite_…'],
  ['whsec_a+b/c= of a webhook', undefined, 'whsec_… of a webhook'],
  [`/v1/pets?key=${key}&again=${key}`, bearer, '/v1/pets?key=…&again=…'],
  [key, bearer, '…'],
  // What is too short for a key is none, so the words of a text stay.
  ['the animals of the shop', 'Bearer animals', 'the animals of the shop'],
  ['the animals of the shop', undefined, 'the animals of the shop'],
] as const) {
  test(`${JSON.stringify(text)} with ${authorization ?? 'no key'} is told as ${JSON.stringify(expected)}`, () => {
    assert.equal(withoutSecrets(text, authorization), expected)
  })
}
