import assert from 'node:assert/strict'
import { test } from 'node:test'
import { etagOf, isPetStoreError } from '../../client/src/index.ts'
import { sentMembers, startClient } from '../support/client.ts'

test('an order can be placed, completed and cancelled', async (t) => {
  const { petstore } = await startClient(t)
  const rex = await petstore.pets.create({ name: 'Rex', categoryId: 1, status: 'available' })

  const first = await petstore.orders.place({ petId: rex.id })
  const cancelled = await petstore.orders.cancel(first.id)
  const second = await petstore.orders.place({ petId: rex.id })
  const completed = await petstore.orders.complete(second.id)

  assert.deepEqual(
    [first, cancelled, second, completed].map(({ id, petId, status }) => [id, petId, status]),
    [
      [1, 1, 'placed'],
      [1, 1, 'cancelled'],
      [2, 1, 'placed'],
      [2, 1, 'completed'],
    ],
  )
  assert.equal((await petstore.pets.find(1))?.status, 'sold')
})

test('an order has a customer and a note, which can be changed and removed', async (t) => {
  const { petstore } = await startClient(t)
  await petstore.pets.create({ name: 'Rex', categoryId: 1, status: 'available' })

  const placed = await petstore.orders.place({ petId: 1, customer: 'Ada', note: 'Saturday' })
  const changed = await petstore.orders.update(1, { customer: null, note: 'Sunday' }, { ifMatch: placed })
  const completed = await petstore.orders.update(1, { status: 'completed', customer: 'Bob' })

  assert.deepEqual(
    [placed, changed, completed].map(({ status, customer, note }) => [status, customer, note]),
    [
      ['placed', 'Ada', 'Saturday'],
      ['placed', undefined, 'Sunday'],
      ['completed', 'Bob', 'Sunday'],
    ],
  )
  assert.deepEqual(await petstore.orders.get(1), completed)
})

test('ordering an unavailable animal is a conflict without a retry', async (t) => {
  const { petstore, proxy } = await startClient(t)
  await petstore.pets.create({ name: 'Rex', categoryId: 1, status: 'sold' })

  await assert.rejects(petstore.orders.place({ petId: 1 }), (error) => isPetStoreError(error, 'conflict'))
  await assert.rejects(petstore.orders.complete(9), (error) => isPetStoreError(error, 'not_found'))
  assert.equal(proxy.requests.length, 3)
})

test('orders are listed by status and animal, page by page', async (t) => {
  const { petstore } = await startClient(t)
  for (let petId = 1; petId <= 3; petId++) {
    await petstore.pets.create({ name: 'Rex', categoryId: 1, status: 'available' })
    await petstore.orders.place({ petId })
  }
  await petstore.orders.complete(2)

  const placed = await Array.fromAsync(petstore.orders.list({ status: 'placed', limit: 1 }))
  const ofTwo = await Array.fromAsync(petstore.orders.list({ petId: 2n }))

  assert.deepEqual(
    placed.map(({ id }) => id),
    [1, 3],
  )
  assert.deepEqual(
    ofTwo.map(({ id, status }) => [id, status]),
    [[2, 'completed']],
  )
})

test('days count what happened on each of them', async (t) => {
  const { petstore } = await startClient(t)
  const pet = await petstore.pets.create({ name: 'Rex', categoryId: 1, status: 'available' })
  await petstore.orders.cancel((await petstore.orders.place({ petId: pet.id })).id)
  const date = new Date().toISOString().slice(0, 10)

  const days = await petstore.orders.days()
  const [day] = await petstore.orders.days({ from: date, to: date })

  assert.equal(days.length, 30)
  assert.deepEqual(day, { date, added: 1, removed: 0, ordered: 1, completed: 0, cancelled: 1 })
})

test('the inventory counts animals by status and in the largest categories', async (t) => {
  const { petstore } = await startClient(t)
  for (const categoryId of [1, 1, 9007199254740993n]) {
    await petstore.pets.create({ name: 'Rex', categoryId, status: 'available' })
  }
  await petstore.categories.put(1, { name: 'Dogs' })

  const { categories, others, cursor, ...counts } = await petstore.pets.inventory({ limit: 1 })
  const next = await petstore.pets.inventory({ limit: 1, ...(cursor !== undefined && { cursor }) })
  const named = await petstore.pets.inventory({ name: 'dog' })
  const all = await petstore.pets.inventory()

  assert.deepEqual(counts, { total: 3, available: 3, pending: 0, sold: 0, none: 0 })
  assert.deepEqual(categories, [{ id: 1, name: 'Dogs', total: 2, available: 2, pending: 0, sold: 0, none: 0 }])
  assert.equal(others, 1)
  assert.deepEqual([next.categories[0]?.id, 'cursor' in next], [9007199254740993n, false])
  assert.deepEqual(named.categories, categories)
  assert.deepEqual(
    all.categories.map(({ id }) => id),
    [1, 9007199254740993n],
  )
})

test('many animals are changed in calls that lead on, and a lost response changes nothing twice', async (t) => {
  const { petstore, proxy } = await startClient(t)
  const { id } = await petstore.pets.create({ name: 'Rex', categoryId: 1 })
  await petstore.pets.create({ name: 'Tom', categoryId: 2 })

  proxy.next('swallow')
  const result = await petstore.pets.bulk({ filter: { ids: [id] }, change: { status: 'sold' } })
  const removed = await petstore.pets.bulk({ filter: { categoryId: 2 }, delete: true })

  assert.deepEqual(result, { changed: 1, unchanged: 0, refused: 0, refusals: [] })
  assert.equal(removed.changed, 1)
  assert.deepEqual(await petstore.pets.list().toArray(), [{ id, name: 'Rex', categoryId: 1, status: 'sold' }])
})

test('orders are exported as a file', async (t) => {
  const { petstore } = await startClient(t)
  const { id } = await petstore.pets.create({ name: 'Rex', categoryId: 1, status: 'available' })
  const order = await petstore.orders.place({ petId: id, customer: 'Ada' })

  let text = ''
  for await (const part of petstore.orders.export({ format: 'ndjson', status: 'placed' }))
    text += Buffer.from(part).toString()

  const { etag: _etag, ...expected } = order
  assert.deepEqual(JSON.parse(text), expected)
})

test('categories can be named and listed page by page', async (t) => {
  const { petstore } = await startClient(t)
  const dogs = await petstore.categories.put(1, { name: 'Dogs' })
  const fish = await petstore.categories.put(9223372036854775807n, { name: 'Fish' })
  const hounds = await petstore.categories.put(1, { name: 'Hounds' })

  assert.deepEqual(sentMembers(dogs), { id: 1, name: 'Dogs' })
  assert.deepEqual(sentMembers(fish), { id: 9223372036854775807n, name: 'Fish' })
  assert.deepEqual(await Array.fromAsync(petstore.categories.list({ limit: 1 })), [hounds, fish].map(sentMembers))
})

test('a category is added with an id of the service, and removed while no animal has it', async (t) => {
  const { petstore } = await startClient(t)
  const dogs = await petstore.categories.create({ name: 'Dogs' }, { idempotencyKey: 'dogs' })
  const again = await petstore.categories.create({ name: 'Dogs' }, { idempotencyKey: 'dogs' })
  const cats = await petstore.categories.create({ name: 'Cats' })
  await petstore.pets.create({ name: 'Rex', categoryId: dogs.id })

  await assert.rejects(petstore.categories.delete(dogs.id), (error) => isPetStoreError(error, 'conflict'))
  await assert.rejects(petstore.categories.delete(cats.id, { ifMatch: dogs }), isStale)
  await petstore.categories.delete(cats.id, { ifMatch: cats })

  assert.deepEqual([sentMembers(dogs), again, cats.id], [{ id: 1, name: 'Dogs' }, dogs, 2])
  assert.deepEqual(await Array.fromAsync(petstore.categories.list()), [sentMembers(dogs)])
})

test('CORS allows all headers that the client sends and reads', async (t) => {
  const sent = new Set<string>()
  const { petstore, service } = await startClient(
    t,
    {
      fetch(input, init) {
        for (const [name] of new Headers(init?.headers)) sent.add(name)
        return fetch(input, init)
      },
    },
    { corsOrigins: ['https://shop.example'] },
  )
  await petstore.pets.create({ name: 'Rex', categoryId: 1 })
  await petstore.pets.update(1, { status: 'sold' }, { ifMatch: await petstore.pets.get(1) })
  await petstore.pets.count()
  for await (const _ of petstore.events.follow({ after: 0 })) break
  const headers = { origin: 'https://shop.example', 'access-control-request-method': 'POST' }

  const preflight = await service.send('/v1/pets', { method: 'OPTIONS', headers })

  const listed = (name: string) => preflight.headers.get(`access-control-${name}`)?.toLowerCase().split(', ')
  // Accept is always allowed. A browser sends its own User-Agent.
  const allowed = new Set([...(listed('allow-headers') ?? []), 'accept', 'user-agent'])
  const exposed = new Set(listed('expose-headers'))
  const needed = ['etag', 'link', 'x-total-count', 'retry-after', 'x-request-id', 'deprecation', 'sunset']
  assert.deepEqual([...sent.difference(allowed)], [])
  assert.deepEqual(
    needed.filter((name) => !exposed.has(name)),
    [],
  )
})

test('an order and a category are read by their id', async (t) => {
  const { petstore } = await startClient(t)
  await petstore.pets.create({ name: 'Rex', categoryId: 1, status: 'available' })
  const order = await petstore.orders.place({ petId: 1 })
  const dogs = await petstore.categories.put(-7, { name: 'Dogs' })

  assert.deepEqual(await petstore.orders.get(1), order)
  assert.deepEqual(await petstore.categories.get(-7), dogs)
  await assert.rejects(petstore.orders.get(2), (error) => isPetStoreError(error, 'not_found'))
  await assert.rejects(petstore.categories.get(1), (error) => isPetStoreError(error, 'not_found'))
})

test('ifMatch ends an order only if it is unchanged', async (t) => {
  const { petstore } = await startClient(t)
  await petstore.pets.create({ name: 'Rex', categoryId: 1, status: 'available' })
  const placed = await petstore.orders.place({ petId: 1 })
  const read = await petstore.orders.get(1)

  await assert.rejects(petstore.orders.cancel(1, { ifMatch: '"other"' }), isStale)
  const completed = await petstore.orders.complete(1, { ifMatch: placed })

  assert.equal(etagOf(read), etagOf(placed))
  assert.notEqual(etagOf(completed), etagOf(placed))
  await assert.rejects(petstore.orders.cancel(1, { ifMatch: read }), isStale)
})

test('put supports ifMatch and ifNoneMatch', async (t) => {
  const { petstore } = await startClient(t)
  const dogs = await petstore.categories.put(1, { name: 'Dogs' }, { ifNoneMatch: '*' })

  await assert.rejects(petstore.categories.put(1, { name: 'Cats' }, { ifNoneMatch: '*' }), isStale)
  await petstore.categories.put(1, { name: 'Hounds' }, { ifMatch: dogs })
  await assert.rejects(petstore.categories.put(1, { name: 'Cats' }, { ifMatch: dogs }), isStale)

  const read = await petstore.categories.get(1)
  assert.equal((await petstore.categories.put(1, { name: 'Cats' }, { ifMatch: read })).name, 'Cats')
})

function isStale(error: unknown): boolean {
  return isPetStoreError(error, 'precondition_failed') && !error.mayHaveSucceeded
}
