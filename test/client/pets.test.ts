import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  CallError,
  etagOf,
  isPetStoreError,
  type Pet,
  type PetChange,
  PetStoreError,
  type WithEtag,
} from '../../client/src/index.ts'
import { sentMembers, startClient } from '../support/client.ts'

test('create returns the animal with its id', async (t) => {
  const { petstore } = await startClient(t)
  const cat = { name: 'Mia ‏مياو 🐈', categoryId: -7, status: 'pending' } as const

  assert.deepEqual(sentMembers(await petstore.pets.create(cat)), { id: 1, ...cat })
  assert.deepEqual(sentMembers(await petstore.pets.find(1)), { id: 1, ...cat })
})

test('an animal without a status has no such member', async (t) => {
  const { petstore } = await startClient(t)

  assert.deepEqual(sentMembers(await petstore.pets.create({ name: 'Rex', categoryId: 1, status: undefined })), {
    id: 1,
    name: 'Rex',
    categoryId: 1,
  })
})

test('an int64 is a number if that is exact, otherwise a bigint', async (t) => {
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

test('count fetches no animals', async (t) => {
  const { petstore, proxy, service } = await startClient(t)
  for (const status of ['sold', 'sold', 'available']) await service.create({ name: 'Rex', categoryId: 1, status })

  assert.equal(await petstore.pets.count(), 3)
  assert.equal(await petstore.pets.count({ status: 'sold' }), 2)
  assert.equal(proxy.requests.length, 2)
})

test('an unknown animal is undefined for find and not_found for get', async (t) => {
  const { petstore } = await startClient(t)

  assert.equal(await petstore.pets.find(1), undefined)
  await assert.rejects(petstore.pets.get(1), (error) => isPetStoreError(error, 'not_found'))
})

test('ifMatch changes an animal only if it is unchanged', async (t) => {
  const { petstore, service } = await startClient(t)
  await service.create({ name: 'Rex', categoryId: 1, status: 'available' })
  const read = await petstore.pets.get(1)

  const sold = await petstore.pets.update(1, { status: 'sold' }, { ifMatch: read })
  const freed = await petstore.pets.update(1, { status: null }, { ifMatch: etagOf(sold) })

  assert.deepEqual(sentMembers(freed), { id: 1, name: 'Rex', categoryId: 1 })
  const isStale = (error: unknown) => isPetStoreError(error, 'precondition_failed') && !error.mayHaveSucceeded
  await assert.rejects(petstore.pets.update(1, { name: 'Max' }, { ifMatch: read }), isStale)
  await assert.rejects(petstore.pets.delete(1, { ifMatch: read }), isStale)
  await petstore.pets.delete(1, { ifMatch: freed })
  assert.equal(await petstore.pets.count(), 0)
})

test('a created animal can be passed as ifMatch', async (t) => {
  const { petstore } = await startClient(t)
  const rex = await petstore.pets.create({ name: 'Rex', categoryId: 1 })

  const max = await petstore.pets.update(rex.id, { name: 'Max' }, { ifMatch: rex })

  assert.equal(max.name, 'Max')
  await assert.rejects(petstore.pets.delete(rex.id, { ifMatch: rex }), (error) =>
    isPetStoreError(error, 'precondition_failed'),
  )
})

test('a found animal can be passed as ifMatch', async (t) => {
  const { petstore } = await startClient(t)
  const created = await petstore.pets.create({ name: 'Rex', categoryId: 1 })
  const found = await petstore.pets.find(1)

  assert.ok(found !== undefined)
  assert.equal(etagOf(found), etagOf(created))
  await petstore.pets.delete(1, { ifMatch: found })
})

test('a copy of an animal can be passed as ifMatch, also one from another thread', async (t) => {
  const { petstore } = await startClient(t)
  const created = await petstore.pets.create({ name: 'Rex', categoryId: 1 })

  const renamed = await petstore.pets.update(1, { name: 'Max' }, { ifMatch: { ...created } })
  const again = await petstore.pets.update(1, { name: 'Tom' }, { ifMatch: structuredClone(renamed) })

  await petstore.pets.delete(1, { ifMatch: JSON.parse(JSON.stringify(again)) as typeof again })
})

test('an animal without an ETag is refused as ifMatch', async (t) => {
  const { petstore, proxy } = await startClient(t)
  await petstore.pets.create({ name: 'Rex', categoryId: 1 })
  const [listed] = await petstore.pets.list().toArray()

  await assert.rejects(petstore.pets.update(1, { name: 'Max' }, { ifMatch: listed as WithEtag<Pet> }), TypeError)
  assert.equal(proxy.requests.length, 2)
})

test('a change may be put together member by member, and one without any changes nothing', async (t) => {
  const { petstore } = await startClient(t)
  await petstore.pets.create({ name: 'Rex', categoryId: 1 })
  const change: PetChange = {}

  assert.equal((await petstore.pets.update(1, change)).name, 'Rex')
  change.name = 'Max'
  assert.equal((await petstore.pets.update(1, change)).name, 'Max')
})

test('a blank ifMatch is an error', async (t) => {
  const { petstore, proxy } = await startClient(t)

  for (const ifMatch of ['', ' ']) await assert.rejects(petstore.pets.delete(1, { ifMatch }), TypeError)
  assert.equal(proxy.requests.length, 0)
})

test('an error has the code, status, message and request id of the service', async (t) => {
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

test('an invalid key is unauthorized', async (t) => {
  const { petstore } = await startClient(t, { apiKey: 'pet_live_unknown' })

  await assert.rejects(petstore.pets.count(), (error) => isPetStoreError(error, 'unauthorized', 'forbidden'))
})

test('a refusal names the members that are wrong', async (t) => {
  const { petstore } = await startClient(t)

  await assert.rejects(
    petstore.pets.create({ name: '', categoryId: 1.5 }),
    (error) => error instanceof PetStoreError && error.fields.join() === 'name,categoryId',
  )
  await assert.rejects(
    petstore.orders.place({ petId: 999 }),
    (error) => error instanceof PetStoreError && error.fields.length === 0,
  )
})
