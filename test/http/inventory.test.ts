import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encodeSizeCursor } from '../../src/http/replies/cursor.ts'
import { startApp } from '../support/app.ts'
import { engines } from '../support/engines.ts'
import { assertError } from '../support/error.ts'

for (const engine of engines) {
  test(`${engine.name}: getInventory counts the animals by status and in the largest categories`, async (t) => {
    const { create, sendJson, send } = await startApp(t, { engine })
    for (const [categoryId, status] of [
      [1, 'available'],
      [1, 'sold'],
      [1, undefined],
      [9007199254740993n, 'pending'],
      [9007199254740993n, 'available'],
      [-3, 'sold'],
    ]) {
      const { status: answered } = await create(
        `{"name":"Rex","categoryId":${categoryId}${status === undefined ? '' : `,"status":"${String(status)}"`}}`,
      )
      assert.equal(answered, 201)
    }
    await sendJson('PUT /v1/categories/1', { name: 'Dogs "and" 🐕' })

    const all = await send('/v1/store/inventory')
    const largest = await send('/v1/store/inventory?limit=1')

    const dogs = String.raw`{"id":1,"name":"Dogs \"and\" 🐕","total":3,"available":1,"pending":0,"sold":1,"none":1}`
    const rest = [
      '{"id":9007199254740993,"total":2,"available":1,"pending":1,"sold":0,"none":0}',
      '{"id":-3,"total":1,"available":0,"pending":0,"sold":1,"none":0}',
    ]
    const counts = '"total":6,"available":2,"pending":1,"sold":2,"none":1'
    assert.equal(all.text, `{${counts},"categories":[${[dogs, ...rest].join()}],"others":0}`)
    assert.equal(largest.text, `{${counts},"categories":[${dogs}],"others":3}`)
    assert.deepEqual(
      [all.status, all.headers.get('content-type'), all.headers.get('stability')],
      [200, 'application/json', 'beta'],
    )
  })
}

test('an inventory has 20 categories by default', async (t) => {
  const { storage, send } = await startApp(t)
  for (let categoryId = 1n; categoryId <= 30n; categoryId++) await storage.pets.create({ name: 'Rex', categoryId })

  const usual = (await send('/v1/store/inventory')).body as { categories: unknown[]; others: number }
  const most = (await send('/v1/store/inventory?limit=100')).body as { categories: unknown[]; others: number }

  assert.deepEqual([usual.categories.length, usual.others], [20, 10])
  assert.deepEqual([most.categories.length, most.others], [30, 0])
})

for (const engine of engines) {
  test(`${engine.name}: the Link of an inventory leads to the next categories, to the last one`, async (t) => {
    const { storage, send, origin } = await startApp(t, { engine })
    for (const categoryId of [1n, 1n, -2n, 3n]) await storage.pets.create({ name: 'Rex', categoryId })

    const pages = []
    for (let path: string | undefined = '/v1/store/inventory?limit=1'; path !== undefined; ) {
      const { body, headers } = await send(path)
      const { categories, others, total } = body as { categories: { id: number }[]; others: number; total: number }
      pages.push([categories.map(({ id }) => id), others, total])
      const link: string | undefined = /^<([^>]+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1]
      assert.equal(link === undefined, headers.get('next-cursor') === null)
      path = link?.slice(origin.length)
    }

    assert.deepEqual(pages, [
      [[1], 2, 4],
      [[-2], 3, 4],
      [[3], 3, 4],
    ])
  })

  test(`${engine.name}: an inventory by name has the categories of the search, with their animals, also none`, async (t) => {
    const { storage, send } = await startApp(t, { engine })
    for (const [id, name] of [
      [-5n, 'Small dogs'],
      [2n, 'Cats'],
      [3n, 'Big Dögs'],
    ] as const) {
      await storage.categories.put({ id, name })
    }
    for (const categoryId of [3n, 3n, 2n, 9n]) {
      await storage.pets.create({ name: 'Rex', categoryId, status: 'available' })
    }

    const first = await send('/v1/store/inventory?name=DOG&limit=1')
    const link = /<([^>]+)>/.exec(first.headers.get('link') ?? '')?.[1] ?? ''
    const second = await send(new URL(link).pathname + new URL(link).search)

    const counts = '"total":4,"available":4,"pending":0,"sold":0,"none":0'
    const small = '{"id":-5,"name":"Small dogs","total":0,"available":0,"pending":0,"sold":0,"none":0}'
    const big = '{"id":3,"name":"Big Dögs","total":2,"available":2,"pending":0,"sold":0,"none":0}'
    assert.equal(first.text, `{${counts},"categories":[${small}],"others":4}`)
    assert.equal(second.text, `{${counts},"categories":[${big}],"others":2}`)
    assert.match(link, /\?name=DOG&limit=1&cursor=/)
    assert.equal(second.headers.get('link'), null)
    assertError(await send('/v1/store/inventory?name=%2B'), 'invalid_parameter')
  })
}

for (const engine of engines) {
  test(`${engine.name}: an inventory by id has every category with a name or animals, page by page`, async (t) => {
    const { storage, send } = await startApp(t, { engine })
    await storage.categories.put({ id: -5n, name: 'Fish' })
    await storage.categories.put({ id: 3n, name: 'Dogs' })
    for (const categoryId of [3n, 9n, 7n]) {
      await storage.pets.create({ name: 'Rex', categoryId, status: 'available' })
    }
    await storage.pets.remove(3n)

    const first = await send('/v1/store/inventory?sort=id&limit=1')
    const link = /<([^>]+)>/.exec(first.headers.get('link') ?? '')?.[1] ?? ''
    const second = await send(new URL(link).pathname + new URL(link).search)
    const rest = await send(`/v1/store/inventory?sort=id&cursor=${second.headers.get('next-cursor')}`)

    const counts = '"total":2,"available":2,"pending":0,"sold":0,"none":0'
    const one = '"total":1,"available":1,"pending":0,"sold":0,"none":0'
    const fish = '{"id":-5,"name":"Fish","total":0,"available":0,"pending":0,"sold":0,"none":0}'
    assert.equal(first.text, `{${counts},"categories":[${fish}],"others":2}`)
    assert.equal(second.text, `{${counts},"categories":[{"id":3,"name":"Dogs",${one}}],"others":1}`)
    assert.equal(rest.text, `{${counts},"categories":[{"id":9,${one}}],"others":1}`)
    assert.match(link, /\?sort=id&limit=1&cursor=/)
    assert.equal(rest.headers.get('link'), null)
  })
}

test('sort=id changes nothing in an inventory by name, which goes by id', async (t) => {
  const { storage, send } = await startApp(t)
  for (const id of [2n, 1n]) await storage.categories.put({ id, name: 'Dogs' })

  const plain = await send('/v1/store/inventory?name=dogs&limit=1')
  const sorted = await send('/v1/store/inventory?name=dogs&limit=1&sort=id')

  assert.equal(sorted.text, plain.text)
  assert.equal(sorted.headers.get('next-cursor'), plain.headers.get('next-cursor'))
})

for (const sort of ['', '-id', 'ID', 'total', 'id&sort=id']) {
  test(`a sort of an inventory that is not id is refused: ${sort}`, async (t) => {
    const { send } = await startApp(t)

    assertError(await send(`/v1/store/inventory?sort=${sort}`), 'invalid_parameter')
  })
}

test('a cursor of an inventory is refused if it is damaged or of another list', async (t) => {
  const { storage, send } = await startApp(t)
  for (const categoryId of [1n, 2n]) {
    await storage.pets.create({ name: 'Rex', categoryId })
    await storage.categories.put({ id: categoryId, name: 'Dogs' })
  }
  const cursorOf = async (path: string) => (await send(path)).headers.get('next-cursor') ?? ''
  const [size, byId, named, listed] = [
    await cursorOf('/v1/store/inventory?limit=1'),
    await cursorOf('/v1/store/inventory?limit=1&sort=id'),
    await cursorOf('/v1/store/inventory?limit=1&name=dogs'),
    await cursorOf('/v1/categories?limit=1'),
  ]
  // What nobody is given: a place after all categories with animals.
  const below = encodeSizeCursor({ total: 0n, id: 0n }, 'inventory')

  for (const query of [
    `cursor=${size}&name=dogs`,
    `cursor=${size}&sort=id`,
    `cursor=${byId}`,
    `cursor=${listed}&sort=id`,
    `cursor=${named}`,
    `cursor=${listed}`,
    `cursor=${below}`,
    'cursor=a',
  ]) {
    const answer = await send(`/v1/store/inventory?${query}`)
    assertError(answer, 'invalid_parameter')
    assert.equal(answer.headers.get('invalid-fields'), 'cursor')
  }
  assert.equal((await send(`/v1/store/inventory?cursor=${size}`)).status, 200)
})

for (const limit of ['0', '101', '-1', 'abc', '', '1.0', '1&limit=2']) {
  test(`a limit of an inventory that is not 1 to 100 is refused: ${limit}`, async (t) => {
    const { send } = await startApp(t)

    assertError(await send(`/v1/store/inventory?limit=${limit}`), 'invalid_parameter')
  })
}

test('different inventories have different ETags', async (t) => {
  const { create, send } = await startApp(t)
  await create({ name: 'Rex', categoryId: 1 })
  const first = await send('/v1/store/inventory')
  const headers = { 'if-none-match': first.headers.get('etag') ?? '' }

  const same = await send('/v1/store/inventory', { headers })
  await create({ name: 'Tom', categoryId: 1 })
  const changed = await send('/v1/store/inventory', { headers })

  assert.deepEqual([same.status, same.text, changed.status], [304, '', 200])
  assert.notEqual(changed.headers.get('etag'), first.headers.get('etag'))
})

test('an inventory that is asked for again comes from memory until a commit', async (t) => {
  const { create, send, storage } = await startApp(t)
  await send('/v1/pets')
  const { inventory } = storage.pets
  let reads = 0
  storage.pets.inventory = (limit) => {
    reads++
    return inventory(limit)
  }

  const texts = []
  for (let times = 0; times < 5; times++) texts.push((await send('/v1/store/inventory')).text)
  assert.equal(reads, 2)
  await create({ name: 'Rex', categoryId: 1 })
  const after = await send('/v1/store/inventory')

  assert.equal(new Set(texts).size, 1)
  assert.equal((after.body as { total: number }).total, 1)
})

test('an inventory allows only reads', async (t) => {
  const { send } = await startApp(t)

  const refused = await send('/v1/store/inventory', { method: 'DELETE' })
  const head = await send('/v1/store/inventory', { method: 'HEAD' })

  assertError(refused, 'method_not_allowed')
  assert.deepEqual([head.status, head.text], [200, ''])
})
