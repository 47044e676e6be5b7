import assert from 'node:assert/strict'
import { test } from 'node:test'
import { maxSortedByName } from '../../src/contract/pet.ts'
import { encodeCursor } from '../../src/http/replies/cursor.ts'
import { nameKey } from '../../src/inventory/name-words.ts'
import { petScope } from '../../src/http/routes/pets.ts'
import { openStorage } from '../../src/storage/open.ts'
import { idsOfAllPages } from '../support/all-pages.ts'
import { type Answer, startApp, type TestApp } from '../support/app.ts'
import { sqliteInMemory } from '../support/engines.ts'
import { assertError } from '../support/error.ts'

test('animals, orders and events can be listed newest first', async (t) => {
  const app = await startShop(t)

  assert.deepEqual(await idsOfAllPages(app, '/v1/pets?sort=-id&limit=2'), [5, 4, 3, 2, 1])
  assert.deepEqual(await idsOfAllPages(app, '/v1/pets?status=pending&sort=-id&limit=1'), [3, 2, 1])
  assert.deepEqual(await idsOfAllPages(app, '/v1/pets?sort=id&limit=2'), [1, 2, 3, 4, 5])
  assert.deepEqual(await idsOfAllPages(app, '/v1/store/orders?sort=-id&limit=2'), [3, 2, 1])
  const events = Array.from({ length: 11 }, (_none, index) => 11 - index)
  assert.deepEqual(await idsOfAllPages(app, '/v1/events?sort=-id&limit=4'), events)
})

test('animals come by name on request, page by page, also within a filter', async (t) => {
  const app = await startApp(t)
  for (const [name, categoryId] of [
    ['tom', 1],
    ['Rex', 2],
    ['rex', 1],
    ['Zoë', 1],
    ['🐕', 2],
    ['Anna', 2],
  ] as const) {
    await app.create({ name, categoryId, status: 'sold' })
  }

  assert.deepEqual(await idsOfAllPages(app, '/v1/pets?sort=name&limit=2'), [5, 6, 2, 3, 1, 4])
  assert.deepEqual(await idsOfAllPages(app, '/v1/pets?sort=-name&limit=1'), [4, 1, 3, 2, 6, 5])
  assert.deepEqual(await idsOfAllPages(app, '/v1/pets?sort=name&limit=1&categoryId=2&status=sold'), [5, 6, 2])
  const counted = await app.send('/v1/pets?sort=name&categoryId=1', { headers: { prefer: 'count=exact' } })
  assert.equal(counted.headers.get('x-total-count'), '3')
  assert.equal((await app.send('/v1/pets?sort=name&id=2')).text, (await app.send('/v1/pets?id=2')).text)
})

test('a sort by name is refused where more animals match than can be sorted, not where few of them do', async (t) => {
  const { storage, send } = await startApp(t)
  const pets = Array.from({ length: maxSortedByName + 1 }, (_none, index) => ({
    name: 'Rex',
    categoryId: BigInt(index % 2),
  }))
  await storage.imports.add(pets)

  const refused = await send('/v1/pets?sort=name')
  const filtered = await send('/v1/pets?sort=-name&categoryId=1&limit=1')
  // On a busy machine the first pages of a search may be empty.
  let found = await send('/v1/pets?sort=-name&name=rex&limit=1')
  while (found.text === '[]') found = await send(`/v1/pets${new URL(linkOf(found)).search}`)

  assertError(refused, 'invalid_parameter')
  assert.match(refused.text, /more than 20000 animals match/)
  assert.deepEqual([filtered.status, (filtered.body as { id: number }[])[0]?.id], [200, 20_000])
  assert.deepEqual([found.status, (found.body as { id: number }[])[0]?.id], [200, maxSortedByName + 1])
})

test('a search in the order of names has short pages where its cost ends, and the links lead to all of it', async (t) => {
  const searchBudget = { ms: 60_000, scannedFirst: 40, pets: 40 }
  const storage = await openStorage(await sqliteInMemory.url(t), { searchBudget })
  t.after(() => storage.close())
  const app = await startApp(t, { storage })
  const long = 'ポ'.repeat(50)
  const pets = Array.from({ length: 230 }, (_none, index) => ({
    name: `${long} ${index % 7} ${index}`,
    categoryId: 1n,
  }))
  await storage.imports.add(pets)
  const key = ({ name }: { name: string }) => nameKey(name)
  const expected = pets
    .map(({ name }, index) => ({ name, id: index + 1 }))
    .toSorted((one, other) => (key(one) < key(other) ? -1 : Number(key(one) > key(other)) || one.id - other.id))
    .map(({ id }) => id)

  for (const query of ['sort=name&limit=100', 'sort=-name&limit=7']) {
    const ids = await idsOfAllPages(app, `/v1/pets?name=%E3%83%9D&${query}`)
    assert.deepEqual(ids, query.includes('-name') ? expected.toReversed() : expected)
  }
  const first = await app.send('/v1/pets?name=%E3%83%9D&sort=name&limit=100')
  assert.deepEqual([first.status, (first.body as unknown[]).length < 100], [200, true])
  const cursor = await nextOf(app, '/v1/pets?name=%E3%83%9D&sort=name&limit=100')
  assertError(await app.send(`/v1/pets?name=%E3%83%9D&sort=-name&limit=100&cursor=${cursor}`), 'invalid_parameter')
  assertError(await app.send(`/v1/pets?name=%E3%83%9D&cursor=${cursor}`), 'invalid_parameter')
  assertError(await app.send(`/v1/pets?sort=name&cursor=${cursor}`), 'invalid_parameter')
})

test('a cursor of a list by name is taken though the name is as long as it can be', async (t) => {
  const app = await startApp(t)
  for (const last of ['a', 'b']) await app.create({ name: '🐕'.repeat(10_000) + last, categoryId: 1 })

  assert.deepEqual(await idsOfAllPages(app, '/v1/pets?sort=name&limit=1'), [1, 2])
})

test('a cursor of a list by name with a key that no name has is refused', async (t) => {
  const { create, send } = await startApp(t)
  await create({ name: 'Rex', categoryId: 1 })
  const scope = petScope({ sort: 'name' })

  assert.equal((await send(`/v1/pets?sort=name&cursor=${encodeCursor({ id: 0n, key: 'a' }, scope)}`)).status, 200)
  for (const key of ['a\0', 'rex"OR"!"*OR"r']) {
    const cursor = encodeCursor({ key, id: 1n }, scope)
    assertError(await send(`/v1/pets?sort=name&cursor=${cursor}`), 'invalid_parameter')
    const searched = encodeCursor({ key, id: 0n }, petScope({ name: 'rex', sort: 'name' }))
    assertError(await send(`/v1/pets?name=rex&sort=name&cursor=${searched}`), 'invalid_parameter')
  }
})

test('a cursor belongs to its sort', async (t) => {
  const app = await startShop(t)

  for (const path of ['/v1/pets', '/v1/store/orders']) {
    const ascending = await nextOf(app, `${path}?limit=1`)
    const descending = await nextOf(app, `${path}?limit=1&sort=-id`)

    assertError(await app.send(`${path}?sort=-id&cursor=${ascending}`), 'invalid_parameter')
    assertError(await app.send(`${path}?cursor=${descending}`), 'invalid_parameter')
    assert.equal((await app.send(`${path}?sort=id&cursor=${ascending}`)).status, 200)
  }
  const sorts = ['id', '-id', 'name', '-name']
  for (const sort of sorts) {
    const cursor = await nextOf(app, `/v1/pets?limit=1&sort=${sort}`)
    for (const other of sorts.filter((one) => one !== sort)) {
      assertError(await app.send(`/v1/pets?sort=${other}&cursor=${cursor}`), 'invalid_parameter')
    }
  }
})

for (const path of [
  '/v1/pets?sort=',
  '/v1/pets?sort=ID',
  '/v1/pets?sort=%2Bid',
  '/v1/pets?sort=id&sort=-id',
  '/v1/pets?sort=Name',
  '/v1/pets?sort=name,id',
  '/v1/pets?sort=status',
  '/v1/store/orders?sort=name',
  '/v1/events?sort=name',
]) {
  test(`an unknown sort is refused: ${path}`, async (t) => {
    const { send } = await startApp(t)

    assertError(await send(path), 'invalid_parameter')
  })
}

test('an event stream refuses sort', async (t) => {
  const { send } = await startApp(t)

  assertError(await send('/v1/events?sort=-id', { headers: { accept: 'text/event-stream' } }), 'invalid_parameter')
})

test('pages of different sorts are cached separately', async (t) => {
  const { send } = await startShop(t)
  const paths = ['/v1/pets', '/v1/pets?sort=id', '/v1/pets?sort=-id']

  const first = await Promise.all(paths.map((path) => send(path)))
  const again = await Promise.all(paths.map((path) => send(path)))

  assert.deepEqual(
    again.map(({ text }) => text),
    first.map(({ text }) => text),
  )
  assert.notEqual(first[0]?.text, first[2]?.text)
})

/** Five animals, of which the first three are ordered. */
async function startShop(t: Parameters<typeof startApp>[0]): Promise<TestApp> {
  const app = await startApp(t)
  for (let count = 0; count < 5; count++) await app.create({ name: 'Rex', categoryId: 1, status: 'available' })
  for (let petId = 1; petId <= 3; petId++) await app.sendJson('POST /v1/store/orders', { petId })
  return app
}

async function nextOf({ send }: TestApp, path: string): Promise<string | null> {
  return new URL(linkOf(await send(path))).searchParams.get('cursor')
}

function linkOf({ headers }: Answer): string {
  return /<([^>]*)>/.exec(headers.get('link') ?? '')?.[1] ?? ''
}
