import assert from 'node:assert/strict'
import { getEventListeners } from 'node:events'
import { test } from 'node:test'
import { UnexpectedResponseError } from '../../client/src/index.ts'
import { startClient } from '../support/client.ts'
import { jsonAnswer } from '../support/made-up-answers.ts'
import { rex } from '../support/client-lists.ts'

test('a list fetches pages on demand', async (t) => {
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

test('animals and categories are found by name, on all pages', async (t) => {
  const { petstore } = await startClient(t)
  for (const name of ['Zoë & Co', 'Rex', 'zoe & co 2']) {
    await petstore.pets.create({ name, categoryId: 1 })
    await petstore.categories.create({ name })
  }
  const query = { name: 'ZÖE & c', limit: 1 }

  const pets = await Array.fromAsync(petstore.pets.list(query))
  const categories = await Array.fromAsync(petstore.categories.list(query))

  for (const found of [pets, categories]) {
    assert.deepEqual(
      found.map(({ name }) => name),
      ['Zoë & Co', 'zoe & co 2'],
    )
  }
})

test('the animals without a status are listed and counted', async (t) => {
  const { petstore } = await startClient(t)
  await petstore.pets.create({ name: 'Rex', categoryId: 1, status: 'sold' })
  for (const name of ['Mia', 'Tom']) await petstore.pets.create({ name, categoryId: 1 })

  const pets = await Array.fromAsync(petstore.pets.list({ without: 'status', limit: 1 }))

  assert.deepEqual(
    pets.map(({ name }) => name),
    ['Mia', 'Tom'],
  )
  assert.equal(await petstore.pets.count({ without: 'status', categoryId: 1 }), 2)
})

test('a list continues from a cursor', async (t) => {
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

test('the first page is one request, with the total if requested', async (t) => {
  const { petstore, service, proxy } = await startClient(t)
  for (let id = 1; id <= 5; id++) await service.create({ name: `Pet ${id}`, categoryId: 1 })

  const plain = await petstore.pets.list({ limit: 2 }).page()
  const counted = await petstore.pets.list({ limit: 2 }, { count: true }).page()

  // Not undefined, by its type.
  const total: number = counted.total
  // Matches of a name are not counted.
  const named: { total?: number } = await petstore.pets.list({ name: 'Pet', limit: 2 }, { count: true }).page()
  assert.equal(named.total, undefined)
  assert.equal('total' in plain, false)
  assert.deepEqual([counted.items.length, total, counted.cursor], [2, 5, plain.cursor])
  assert.equal(proxy.requests.length, 3)
})

test('lists come newest first on request', async (t) => {
  const { petstore } = await startClient(t)
  for (let petId = 1; petId <= 3; petId++) {
    await petstore.pets.create({ name: 'Rex', categoryId: 1, status: 'available' })
    await petstore.orders.place({ petId })
  }

  const query = { sort: '-id', limit: 2 } as const
  const lists = [petstore.pets.list(query), petstore.orders.list(query), petstore.events.list(query)]
  const ids = await Promise.all(
    lists.map(async (list) =>
      (await Array.fromAsync<{ id: unknown }>(list)).map(({ id }) => Number.parseInt(String(id))),
    ),
  )

  assert.deepEqual(ids, [
    [3, 2, 1],
    [3, 2, 1],
    [9, 8, 7, 6, 5, 4, 3, 2, 1],
  ])
})

test('a list goes on after pages without items', async (t) => {
  const { petstore, proxy } = await startClient(t)
  const emptyBefore = (cursor: string) =>
    jsonAnswer(200, [], { link: `</v1/pets?name=rex&cursor=${cursor}>; rel="next"` })
  proxy.next(emptyBefore('a'), emptyBefore('b'), jsonAnswer(200, [rex]))

  assert.deepEqual(await Array.fromAsync(petstore.pets.list({ name: 'rex' })), [rex])
  assert.equal(proxy.requests.length, 3)
})

test('toArray returns all items, or the first of them', async (t) => {
  const { petstore, proxy, service } = await startClient(t)
  for (let id = 1; id <= 5; id++) await service.create({ name: `Pet ${id}`, categoryId: 1 })
  const list = petstore.pets.list({ limit: 2 })

  assert.equal((await list.toArray()).length, 5)
  assert.equal(proxy.requests.length, 3)
  const some = await list.toArray({ limit: 2 })
  assert.deepEqual(
    some.map(({ id }) => id),
    [1, 2],
  )
  assert.equal(proxy.requests.length, 4)
  assert.deepEqual(await list.toArray({ limit: 0 }), [])
})

test('first returns the first item, after empty pages too, or undefined', async (t) => {
  const { petstore, proxy } = await startClient(t)
  const empty = jsonAnswer(200, [], { link: '</v1/pets?name=rex&limit=1&cursor=a>; rel="next"' })
  proxy.next(empty, jsonAnswer(200, [rex]))

  assert.deepEqual(await petstore.pets.list({ name: 'rex' }).first(), rex)
  assert.equal(await petstore.pets.list({ status: 'sold' }).first(), undefined)
  assert.equal(proxy.requests[0]?.url, '/v1/pets?name=rex&limit=1')
})

test('page() and first() fetch no page in advance', async (t) => {
  const operations: string[] = []
  const { petstore } = await startClient(t, { onRequest: ({ operation }) => operations.push(operation) })
  for (const name of ['Rex', 'Tom']) await petstore.pets.create({ name, categoryId: 1 })
  const pets = petstore.pets.list({ limit: 1 }, { prefetch: true })

  await pets.page()
  await pets.first()
  await petstore.pets.count()

  assert.deepEqual(operations, ['createPet', 'createPet', 'listPets', 'listPets', 'listPets'])
})

test('a signal that many lists share keeps nothing of those that have ended', async (t) => {
  const { petstore } = await startClient(t)
  const { signal } = new AbortController()
  for (const name of ['Rex', 'Tom']) await petstore.pets.create({ name, categoryId: 1 })
  const pets = petstore.pets.list({ limit: 1 }, { signal, prefetch: true })

  await pets.toArray()
  await pets.page()
  await pets.first()
  await Array.fromAsync(petstore.pets.export({}, { signal }))
  const events = petstore.events.follow({ after: 0, signal })
  await events.next()
  await events.return()

  assert.equal(getEventListeners(signal, 'abort').length, 0)
  // The signals that `AbortSignal.any` has made of it.
  const kept = Object.getOwnPropertySymbols(signal).map((name) => Reflect.get(signal, name) as { size?: number } | null)
  assert.ok(!kept.some((value) => (value?.size ?? 0) > 0))
})

test('with prefetch, the next page is asked for before this one is used', async (t) => {
  const { petstore, proxy, service } = await startClient(t)
  for (let id = 1; id <= 5; id++) await service.create({ name: `Pet ${id}`, categoryId: 1 })

  const ids: unknown[] = []
  for await (const { items } of petstore.pets.list({ limit: 2 }, { prefetch: true }).pages()) {
    ids.push(...items.map(({ id }) => id))
    await proxy.untilAsked(Math.min(3, ids.length / 2 + 1))
  }

  assert.deepEqual(ids, [1, 2, 3, 4, 5])
  assert.equal(proxy.requests.length, 3)
})

test("leaving a list aborts a page that was asked for in advance, and its failure is nobody's", async (t) => {
  const { petstore, proxy, service } = await startClient(t)
  for (let id = 1; id <= 3; id++) await service.create({ name: `Pet ${id}`, categoryId: 1 })
  proxy.next('pass', 'hang')

  for await (const _ of petstore.pets.list({ limit: 1 }, { prefetch: true })) {
    await proxy.untilAsked(2)
    break
  }

  await proxy.untilClosed()
})

test('a page that is unchanged since it was read is undefined', async (t) => {
  const { petstore, proxy, service } = await startClient(t)
  const list = petstore.pets.list()
  const page = await list.page()

  assert.equal(await list.page({ ifNoneMatch: page }), undefined)
  assert.equal(await list.page({ ifNoneMatch: structuredClone(page).etag }), undefined)
  await service.create({ name: 'Rex', categoryId: 1 })
  const changed = await list.page({ ifNoneMatch: page })
  assert.equal(changed?.items.length, 1)

  proxy.next({ status: 304 })
  await assert.rejects(list.page(), UnexpectedResponseError)
})

test('leaving a list aborts its pending request', async (t) => {
  const { petstore, proxy } = await startClient(t)
  proxy.next('hang')
  const pets = petstore.pets.list()[Symbol.asyncIterator]()
  const waiting = pets.next()
  await proxy.untilAsked(1)

  await pets.return()

  assert.deepEqual(await waiting, { done: true, value: undefined })
  await proxy.untilClosed()
})
