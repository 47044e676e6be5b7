import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { CallError, ConnectionError, type ErrorCode, isPetStoreError, PetStore } from '../../client/src/index.ts'
import { sentMembers, startClient } from '../support/client.ts'
import { sqliteInMemory } from '../support/engines.ts'
import type { Fault } from '../support/faulty-proxy.ts'
import { htmlAnswer, rateLimited, refusal, unavailable } from '../support/made-up-answers.ts'
import { unlessStalled } from '../support/promised-time.ts'

const passing: [name: string, fault: Fault][] = [
  ['the answer is swallowed', 'swallow'],
  ['the connection is reset', 'reset'],
  ['half of the answer comes', 'halve'],
  ['no answer comes', 'hang'],
  ['the answer is 429', rateLimited],
  ['the answer is 503', unavailable],
  ['a gateway answers 502', htmlAnswer(502)],
  ['a gateway answers 429', htmlAnswer(429)],
  ['a gateway answers 408', htmlAnswer(408)],
]

for (const [name, fault] of passing) {
  test(`when ${name}, an animal is added once`, async (t) => {
    const { petstore, proxy, service } = await startClient(t, { timeoutMs: timeoutFor(fault) })
    proxy.next(fault, fault)

    const rex = await petstore.pets.create({ name: 'Rex', categoryId: 1, status: 'available' })

    assert.deepEqual(sentMembers(rex), { id: 1, name: 'Rex', categoryId: 1, status: 'available' })
    assert.equal((await service.send('/v1/pets')).text, JSON.stringify([sentMembers(rex)]))
    assert.equal(proxy.requests.length, 3)
    assert.equal(new Set(proxy.requests.map(({ headers }) => headers['idempotency-key'])).size, 1)
    assert.equal(new Set(proxy.requests.map(({ headers }) => headers['x-request-id'])).size, 1)
  })

  test(`when ${name}, an animal is ordered once`, async (t) => {
    const { petstore, proxy, service } = await startClient(t, { timeoutMs: timeoutFor(fault) })
    await service.create({ name: 'Rex', categoryId: 1, status: 'available' })
    proxy.next(fault)

    const order = await petstore.orders.place({ petId: 1 })

    assert.equal(order.status, 'placed')
    assert.equal(JSON.parse((await service.send('/v1/store/orders')).text).length, 1)
  })

  test(`when ${name}, a list continues`, async (t) => {
    const { petstore, proxy, service } = await startClient(t, { timeoutMs: timeoutFor(fault) })
    for (let id = 1; id <= 5; id++) await service.create({ name: `Pet ${id}`, categoryId: 1 })
    proxy.next('pass', fault, 'pass', fault)

    const pets = await Array.fromAsync(petstore.pets.list({ limit: 2 }))

    assert.deepEqual(
      pets.map(({ id }) => id),
      [1, 2, 3, 4, 5],
    )
  })

  test(`when ${name}, an animal is removed`, async (t) => {
    const { petstore, proxy, service } = await startClient(t, { timeoutMs: timeoutFor(fault) })
    await service.create({ name: 'Rex', categoryId: 1 })
    proxy.next(fault)

    const removal = petstore.pets.delete(1)

    // The first attempt removed it, so the second finds none.
    if (fault === 'swallow' || fault === 'halve') await assert.rejects(removal, isUncertain('not_found'))
    else await removal
    assert.equal((await service.send('/v1/pets')).text, '[]')
  })
}

test('a delete does not claim the removal of another client', async (t) => {
  const { petstore, proxy } = await startClient(t)
  proxy.next(unavailable)

  await assert.rejects(petstore.pets.delete(1), isUncertain('not_found'))
})

test('delete of an unknown animal is not_found', async (t) => {
  const { petstore } = await startClient(t)

  await assert.rejects(
    petstore.pets.delete(1),
    (error) => isPetStoreError(error, 'not_found') && !error.mayHaveSucceeded,
  )
})

test('a retry waits for a create that is still in flight', (t) =>
  unlessStalled(50, async () => {
    const storage = await sqliteInMemory.open(t)
    const { create } = storage.pets
    storage.pets.create = async (...args) => {
      storage.pets.create = create
      await sleep(400)
      return create(...args)
    }
    const { petstore, proxy, service } = await startClient(t, { timeoutMs: 200 }, { storage })

    const rex = await petstore.pets.create({ name: 'Rex', categoryId: 1 })

    assert.equal(rex.id, 1)
    assert.equal((await service.send('/v1/pets')).text, JSON.stringify([sentMembers(rex)]))
    assert.ok(service.answered.some(({ status }) => status === 409))
    assert.equal(proxy.requests.length, 3)
  }))

/** What a second attempt could undo: a change that somebody else made after the first. */
const overwrites: [name: string, call: (petstore: PetStore) => Promise<unknown>][] = [
  ['an update without ifMatch', (petstore) => petstore.pets.update(1, { name: 'Max' })],
  ['an update with ifMatch *', (petstore) => petstore.pets.update(1, { name: 'Max' }, { ifMatch: '*' })],
  ['a category put', (petstore) => petstore.categories.put(1, { name: 'Dogs' })],
]
for (const [name, call] of overwrites) {
  for (const [cause, fault] of [
    ['the answer is swallowed', 'swallow'],
    ['half of the answer comes', 'halve'],
    ['the connection is reset', 'reset'],
    ['no answer comes', 'hang'],
    ['the answer is 503', unavailable],
    ['the answer is 500', refusal(500, 'internal')],
    ['a gateway answers 502', htmlAnswer(502)],
    ['a gateway answers 504', htmlAnswer(504, { 'retry-after': '0' })],
    ['a gateway answers 200', htmlAnswer(200)],
  ] as const) {
    test(`${name} is not retried when ${cause}, and may have succeeded`, async (t) => {
      const { petstore, proxy, service } = await startClient(t, { timeoutMs: timeoutFor(fault) })
      await service.create({ name: 'Rex', categoryId: 1 })
      proxy.next(fault)

      await assert.rejects(call(petstore), (error) => error instanceof CallError && error.mayHaveSucceeded)
      assert.equal(proxy.requests.length, 1)
    })
  }

  for (const [cause, fault] of [
    ['429', rateLimited],
    ['408', refusal(408, 'request_timeout')],
    ["a gateway's 429", htmlAnswer(429)],
  ] as const) {
    test(`${name} is retried after ${cause}: nothing was done`, async (t) => {
      const { petstore, proxy, service } = await startClient(t)
      await service.create({ name: 'Rex', categoryId: 1 })
      proxy.next(fault)

      await call(petstore)

      assert.equal(proxy.requests.length, 2)
    })
  }
}

test('an update with ifMatch is retried and reports that it may have succeeded', async (t) => {
  const { petstore, proxy, service } = await startClient(t)
  await service.create({ name: 'Rex', categoryId: 1 })
  const rex = await petstore.pets.get(1)
  proxy.next('reset')
  const max = await petstore.pets.update(1, { name: 'Max' }, { ifMatch: rex })
  proxy.next('swallow')

  await assert.rejects(
    petstore.pets.update(1, { name: 'Tom' }, { ifMatch: max }),
    (error) => isPetStoreError(error, 'precondition_failed') && error.mayHaveSucceeded && error.attempts === 2,
  )
  assert.equal((await petstore.pets.find(1))?.name, 'Tom')
})

test('a put with ifNoneMatch is retried and reports that it may have succeeded', async (t) => {
  const { petstore, proxy } = await startClient(t)
  proxy.next('reset', 'pass', 'swallow')

  await petstore.categories.put(1, { name: 'Dogs' }, { ifNoneMatch: '*' })
  await assert.rejects(
    petstore.categories.put(2, { name: 'Cats' }, { ifNoneMatch: '*' }),
    isUncertain('precondition_failed'),
  )
  assert.equal((await petstore.categories.get(2)).name, 'Cats')
})

test('a retried complete after a lost response is a conflict that may have succeeded', async (t) => {
  const { petstore, proxy, service } = await startClient(t)
  await service.create({ name: 'Rex', categoryId: 1, status: 'available' })
  await petstore.orders.place({ petId: 1 })
  proxy.next('swallow')

  await assert.rejects(
    petstore.orders.complete(1),
    (error) => isPetStoreError(error, 'conflict') && error.mayHaveSucceeded,
  )
  assert.equal((await petstore.pets.find(1))?.status, 'sold')
})

test('a note is not sent again after a lost answer, unless it is guarded', async (t) => {
  const { petstore, proxy, service } = await startClient(t)
  await service.create({ name: 'Rex', categoryId: 1, status: 'available' })
  const order = await petstore.orders.place({ petId: 1 })
  proxy.next('swallow')

  await assert.rejects(
    petstore.orders.update(1, { note: 'Saturday' }),
    (error) => error instanceof ConnectionError && error.attempts === 1 && error.mayHaveSucceeded,
  )

  proxy.next('swallow')
  await assert.rejects(
    petstore.orders.update(1, { note: 'Sunday' }, { ifMatch: order }),
    isUncertain('precondition_failed'),
  )
})

test('two creates of the same animal add two', async (t) => {
  const { petstore } = await startClient(t)
  const rex = { name: 'Rex', categoryId: 1 }

  await Promise.all([petstore.pets.create(rex), petstore.pets.create(rex)])

  assert.equal(await petstore.pets.count(), 2)
})

test('creates with one idempotencyKey in several processes add one animal', async (t) => {
  const { petstore } = await startClient(t)
  const create = (petstore: PetStore, name: string) =>
    petstore.pets.create({ name, categoryId: 1 }, { idempotencyKey: 'import 7, row 3' })

  assert.deepEqual(await create(petstore, 'Rex'), await create(petstore, 'Rex'))
  await assert.rejects(create(petstore, 'Max'), (error) => isPetStoreError(error, 'idempotency_mismatch'))
  assert.equal(await petstore.pets.count(), 1)
})

/** In milliseconds. Long enough that only a response that never comes is given up on a busy machine. */
function timeoutFor(fault: Fault): number {
  return fault === 'hang' || fault === 'stall' ? 1_000 : 60_000
}

function isUncertain(code: ErrorCode): (error: unknown) => boolean {
  return (error) => isPetStoreError(error, code) && error.mayHaveSucceeded && error.attempts === 2
}
