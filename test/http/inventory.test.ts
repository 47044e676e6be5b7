import assert from 'node:assert/strict'
import { test } from 'node:test'
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
