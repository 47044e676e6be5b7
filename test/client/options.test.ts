import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inspect } from 'node:util'
import { type ErrorCode, isPetStoreError, PetStore, type PetStoreOptions } from '../../client/src/index.ts'
import { startClient } from '../support/client.ts'

const baseUrl = 'https://pets.example/v1'
const apiKey = 'key'

for (const [name, options] of [
  ['no address', { baseUrl: 'pets', apiKey }],
  ['an address of another kind', { baseUrl: 'ftp://pets.example/v1', apiKey }],
  ['an address with a user and a password', { baseUrl: 'https://user:secret@pets.example/v1', apiKey }],
  ['an address with a password alone', { baseUrl: 'https://:secret@pets.example/v1', apiKey }],
  ['an address with a query', { baseUrl: 'https://pets.example/v1?limit=1', apiKey }],
  ['an address with a fragment', { baseUrl: 'https://pets.example/v1#pets', apiKey }],
  ['an empty key', { baseUrl, apiKey: '' }],
  ['a key with a line break', { baseUrl, apiKey: 'secret\n' }],
  ['no key', { baseUrl, apiKey: undefined as unknown as string }],
  ['a time limit of 0', { baseUrl, apiKey, timeoutMs: 0 }],
  ['a negative time limit', { baseUrl, apiKey, timeoutMs: -1 }],
  ['a time limit that is no number', { baseUrl, apiKey, timeoutMs: Number.NaN }],
  ['a time limit in words', { baseUrl, apiKey, timeoutMs: '10 s' as unknown as number }],
  ['no attempts', { baseUrl, apiKey, retry: { maxAttempts: 0 } }],
  ['half an attempt', { baseUrl, apiKey, retry: { maxAttempts: 1.5 } }],
  ['NaN attempts', { baseUrl, apiKey, retry: { maxAttempts: Number.NaN } }],
  ['a negative delay', { baseUrl, apiKey, retry: { baseDelayMs: -1 } }],
  ['a longest delay that is no number', { baseUrl, apiKey, retry: { maxDelayMs: Number.NaN } }],
  ['a negative time for all attempts', { baseUrl, apiKey, retry: { totalTimeoutMs: -1 } }],
  ['a fetch that is no function', { baseUrl, apiKey, fetch: {} as unknown as typeof fetch }],
  ['an onWarning that is no function', { baseUrl, apiKey, onWarning: true as unknown as () => void }],
] satisfies [string, PetStoreOptions][]) {
  test(`a client with ${name} is refused, without a secret in the message`, () => {
    assert.throws(
      () => new PetStore(options),
      (error) => error instanceof TypeError && /^[\w.]+ must be /.test(error.message) && !/secret/.test(error.message),
    )
  })
}

test('a call refuses an invalid timeoutMs', async (t) => {
  const { petstore, proxy } = await startClient(t)

  for (const ms of [Number.NaN, -1, 0]) {
    await assert.rejects(petstore.pets.find(1, { timeoutMs: ms }), /^TypeError: timeoutMs must be /)
    await assert.rejects(petstore.events.follow({ maxSilenceMs: ms }).next(), /^TypeError: maxSilenceMs must be /)
  }
  assert.equal(proxy.requests.length, 0)
})

test('timeoutMs may be Infinity', async (t) => {
  const { petstore } = await startClient(t, {
    timeoutMs: Infinity,
    retry: { maxAttempts: Infinity, totalTimeoutMs: Infinity },
  })

  assert.equal(await petstore.pets.count(), 0)
})

for (const end of ['/', '?', '#', '/?#']) {
  test(`a trailing ${end} of baseUrl is ignored`, async (t) => {
    const { service } = await startClient(t)

    for (const baseUrl of [`${service.origin}/v1${end}`, new URL(`${service.origin}/v1${end}`)]) {
      assert.equal(await new PetStore({ baseUrl, apiKey: service.key }).pets.count(), 0)
    }
  })
}

test('a strict client gets errors for unknown fields and can still count', async (t) => {
  const strict = await startClient(t, { strict: true })
  const lenient = await startClient(t)
  const pet = { name: 'Rex', categoryId: 1, colour: 'black' }
  const filter = { colour: 'black' }

  const isAbout = (code: ErrorCode) => (error: unknown) => isPetStoreError(error, code) && /colour/.test(error.message)
  await assert.rejects(strict.petstore.pets.create(pet), isAbout('invalid_body'))
  await assert.rejects(strict.petstore.pets.count(filter as object), isAbout('invalid_parameter'))
  assert.equal(await strict.petstore.pets.count(), 0)
  assert.equal((await lenient.petstore.pets.create(pet)).id, 1)
  assert.equal(await lenient.petstore.pets.count(filter as object), 1)
})

test('a printed client does not show its key', () => {
  const petstore = new PetStore({ baseUrl, apiKey: 'secret' })

  assert.doesNotMatch(inspect(petstore, { depth: 9, showHidden: true }), /secret/)
})
