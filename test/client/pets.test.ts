import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inspect } from 'node:util'
import { CallError, etagOf, isPetStoreError, PetStore, PetStoreError } from '../../client/src/index.ts'
import { startClient } from '../support/client.ts'

test('an animal comes back as it was sent, with its id', async (t) => {
  const { petstore } = await startClient(t)
  const cat = { name: 'Mia ‏مياو 🐈', categoryId: -7, status: 'pending' } as const

  assert.deepEqual(await petstore.pets.create(cat), { id: 1, ...cat })
  assert.deepEqual(await petstore.pets.find(1), { id: 1, ...cat })
})

test('an animal without a status has no such member', async (t) => {
  const { petstore } = await startClient(t)

  assert.deepEqual(await petstore.pets.create({ name: 'Rex', categoryId: 1, status: undefined }), {
    id: 1,
    name: 'Rex',
    categoryId: 1,
  })
})

test('an int64 is a number where that is exact, and a bigint where not, there and back', async (t) => {
  const { petstore } = await startClient(t)

  for (const [sent, expected] of [
    [9007199254740991n, 9007199254740991],
    [9007199254740993n, 9007199254740993n],
    [-9223372036854775808n, -9223372036854775808n],
    [9223372036854775807n, 9223372036854775807n],
    [7n, 7],
  ] as const) {
    assert.equal((await petstore.pets.create({ name: 'Rex', categoryId: sent })).categoryId, expected)
    const [found] = await Array.fromAsync(petstore.pets.list({ categoryId: sent }))
    assert.equal(found?.categoryId, expected)
  }
})

test('a number that is not exact is refused before it is sent', async (t) => {
  const { petstore, proxy } = await startClient(t)

  await assert.rejects(petstore.pets.create({ name: 'Rex', categoryId: 2 ** 53 }), TypeError)
  await assert.rejects(petstore.pets.find(2 ** 53), TypeError)
  await assert.rejects(petstore.pets.delete(Number.NaN), TypeError)
  assert.equal(proxy.requests.length, 0)
})

test('a list pages by itself, and asks for a page only when it is needed', async (t) => {
  const { petstore, proxy, service } = await startClient(t)
  for (let id = 1; id <= 7; id++) {
    await service.create({ name: `Pet ${id}`, categoryId: 1, status: id % 2 === 0 ? 'sold' : 'available' })
  }
  const available = petstore.pets.list({ status: 'available', limit: 2 })

  const ids: unknown[] = []
  for await (const pet of available) {
    ids.push(pet.id)
    if (ids.length === 2) assert.equal(proxy.requests.length, 1)
    if (ids.length === 3) break
  }

  assert.deepEqual(ids, [1, 3, 5])
  assert.equal(proxy.requests.length, 2)
  assert.equal((await Array.fromAsync(available)).length, 4, 'a list can be read again')
})

test('a list goes on from the cursor of a page', async (t) => {
  const { petstore, service } = await startClient(t)
  for (let id = 1; id <= 5; id++) await service.create({ name: `Pet ${id}`, categoryId: 1 })

  const pages = await Array.fromAsync(petstore.pets.list({ limit: 2 }).pages())
  const rest = await Array.fromAsync(petstore.pets.list({ limit: 2, cursor: pages[1]?.cursor }))

  assert.deepEqual(
    pages.map(({ items, cursor }) => [items.length, cursor === undefined]),
    [
      [2, false],
      [2, false],
      [1, true],
    ],
  )
  assert.deepEqual(
    rest.map(({ id }) => id),
    [5],
  )
})

test('the key goes to nobody else, even when a link leads there', async (t) => {
  const { petstore, proxy, service } = await startClient(t, {}, { baseUrls: { production: 'https://pets.example/v1' } })
  for (let id = 1; id <= 3; id++) await service.create({ name: `Pet ${id}`, categoryId: 1 })

  assert.equal((await Array.fromAsync(petstore.pets.list({ limit: 1 }))).length, 3)
  assert.equal(proxy.requests.length, 3)
})

test('animals are counted without being fetched', async (t) => {
  const { petstore, proxy, service } = await startClient(t)
  for (const status of ['sold', 'sold', 'available']) await service.create({ name: 'Rex', categoryId: 1, status })

  assert.equal(await petstore.pets.count(), 3)
  assert.equal(await petstore.pets.count({ status: 'sold' }), 2)
  assert.equal(proxy.requests.length, 2)
})

test('an animal that is not there is undefined for find, and not_found for get', async (t) => {
  const { petstore } = await startClient(t)

  assert.equal(await petstore.pets.find(1), undefined)
  await assert.rejects(petstore.pets.get(1), (error) => isPetStoreError(error, 'not_found'))
})

test('an animal is changed only if it is as it was read', async (t) => {
  const { petstore, service } = await startClient(t)
  await service.create({ name: 'Rex', categoryId: 1, status: 'available' })
  const read = await petstore.pets.get(1)

  const sold = await petstore.pets.update(1, { status: 'sold' }, { ifMatch: read })
  const freed = await petstore.pets.update(1, { status: null }, { ifMatch: etagOf(sold) })

  assert.deepEqual(freed, { id: 1, name: 'Rex', categoryId: 1 })
  const isStale = (error: unknown) => isPetStoreError(error, 'precondition_failed') && !error.mayHaveSucceeded
  await assert.rejects(petstore.pets.update(1, { name: 'Max' }, { ifMatch: read }), isStale)
  await assert.rejects(petstore.pets.delete(1, { ifMatch: read }), isStale)
  await petstore.pets.delete(1, { ifMatch: freed })
  assert.equal(await petstore.pets.count(), 0)
})

test('an animal whose ETag is not known is no precondition', async (t) => {
  const { petstore, proxy } = await startClient(t)

  await assert.rejects(
    petstore.pets.update(1, { name: 'Max' }, { ifMatch: { id: 1, name: 'Rex', categoryId: 1 } }),
    TypeError,
  )
  assert.equal(proxy.requests.length, 0)
})

test('a refusal carries the code, the status, the words and the request id of the service', async (t) => {
  const { petstore, proxy, service } = await startClient(t)

  const error = await petstore.pets.create({ name: '', categoryId: 1 }).catch((error: unknown) => error)

  assert.ok(error instanceof PetStoreError && error instanceof CallError && error instanceof Error)
  assert.equal(error.code, 'invalid_body')
  assert.equal(error.status, 400)
  assert.match(error.message, /^name must /)
  assert.equal(error.attempts, 1)
  assert.equal(error.mayHaveSucceeded, false)
  assert.equal(error.requestId, service.answered.at(-1)?.requestId)
  assert.equal(error.requestId, proxy.requests[0]?.headers['x-request-id'])
})

test('a key that is not valid is unauthorized', async (t) => {
  const { petstore } = await startClient(t, { apiKey: 'pet_live_unknown' })

  await assert.rejects(petstore.pets.count(), (error) => isPetStoreError(error, 'unauthorized', 'forbidden'))
})

test('a deprecated operation is warned of once', async (t) => {
  const { petstore, proxy, service, warnings } = await startClient(t)
  await service.create({ name: 'Rex', categoryId: 1 })

  for (let times = 0; times < 3; times++) await petstore.pets.get(1)
  await petstore.pets.find(1)

  assert.deepEqual(warnings, [
    `Pet Store: getPet is deprecated since 2026-11-14 and is removed on 2030-12-05; see ${proxy.origin}/docs`,
  ])
})

test('a deprecated operation that refuses is warned of too', async (t) => {
  const { petstore, warnings } = await startClient(t)

  await assert.rejects(petstore.pets.get(1), (error) => isPetStoreError(error, 'not_found'))
  assert.equal(warnings.length, 1)
})

for (const [name, options] of [
  ['no address', { baseUrl: 'pets', apiKey: 'key' }],
  ['an address of another kind', { baseUrl: 'ftp://pets.example/v1', apiKey: 'key' }],
  ['an address with a password', { baseUrl: 'https://user:secret@pets.example/v1', apiKey: 'key' }],
  ['an address with a query', { baseUrl: 'https://pets.example/v1?limit=1', apiKey: 'key' }],
  ['an empty key', { baseUrl: 'https://pets.example/v1', apiKey: '' }],
  ['a key with a line break', { baseUrl: 'https://pets.example/v1', apiKey: 'secret\n' }],
  ['no key', { baseUrl: 'https://pets.example/v1', apiKey: undefined as unknown as string }],
] as const) {
  test(`a client with ${name} is refused, and no secret is told`, () => {
    assert.throws(
      () => new PetStore(options),
      (error) =>
        error instanceof TypeError && /^(baseUrl|apiKey) must/.test(error.message) && !/secret/.test(error.message),
    )
  })
}

test('a slash at the end of the address makes no difference', async (t) => {
  const { service } = await startClient(t)
  const petstore = new PetStore({ baseUrl: new URL(`${service.origin}/v1/`), apiKey: service.key })

  assert.equal(await petstore.pets.count(), 0)
})

test('a client that is printed does not show its key', () => {
  const petstore = new PetStore({ baseUrl: 'https://pets.example/v1', apiKey: 'secret' })

  assert.doesNotMatch(inspect(petstore, { depth: 9, showHidden: true }), /secret/)
})
