import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { idsOfAllPages } from '../support/all-pages.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { engines, sqliteInMemory } from '../support/engines.ts'
import { assertError } from '../support/error.ts'

for (const engine of engines) {
  test(`${engine.name}: ids returns the animals with these ids, in the order of the list`, async (t) => {
    const app = await startShop(t, engine)
    const expected: Record<string, number[]> = {
      'ids=3': [3],
      'ids=5,1,3': [1, 3, 5],
      'ids=2,2,2': [2],
      'ids=1,4,99,9223372036854775807,9999999999999999999': [1, 4],
      'ids=99': [],
      'ids=1,2,3,4,5&limit=2': [1, 2, 3, 4, 5],
      'ids=1,2,3,4,5&limit=2&sort=-id': [5, 4, 3, 2, 1],
      'ids=1,2,4,5&limit=1&sort=name': [5, 4, 2, 1],
      'ids=1,2,4,5&limit=3&sort=-name': [1, 2, 4, 5],
    }

    for (const [query, ids] of Object.entries(expected)) {
      assert.deepEqual(await idsOfAllPages(app, `/v1/pets?${query}`), ids, query)
    }
  })

  test(`${engine.name}: ids combines with the other filters and is counted`, async (t) => {
    const app = await startShop(t, engine)
    const expected: Record<string, number[]> = {
      'ids=1,2,3&status=sold': [1, 3],
      'ids=1,2,3,4&without=status': [4],
      'ids=1,2,3,4&categoryId=1': [1, 2],
      'ids=1,2,3,4,5&name=zo': [1, 3],
      'ids=1,2,3&id=2': [2],
      'ids=1,2,3&id=4': [],
    }

    for (const [query, ids] of Object.entries(expected)) {
      assert.deepEqual(await idsOfAllPages(app, `/v1/pets?${query}`), ids, query)
    }
    const { headers } = await app.send('/v1/pets?ids=1,2,3,99&status=sold&limit=1', {
      headers: { prefer: 'count=exact' },
    })
    assert.equal(headers.get('x-total-count'), '2')
    const file = await app.send('/v1/pets/export?format=ndjson&ids=4,2')
    assert.equal(
      file.text,
      '{"id":2,"name":"Tom","categoryId":1,"status":"available"}\n{"id":4,"name":"Rex","categoryId":2}\n',
    )
  })
}

test('ids takes up to 100 ids, each as the service writes it', async (t) => {
  const { send } = await startApp(t, { engine: sqliteInMemory })
  const ids = (count: number) => Array.from({ length: count }, (_, index) => index + 1).join()

  assert.equal((await send(`/v1/pets?limit=100&ids=${ids(100)}`)).text, '[]')
  for (const value of ['', ',', '1,', ',1', '1,,2', '1, 2', '0', '-1', '01', '1.0', 'a', ids(101), '1'.repeat(20)]) {
    const answer = await send(`/v1/pets?ids=${encodeURIComponent(value)}`)
    assertError(answer, 'invalid_parameter')
    assert.match(answer.text, /ids must be a string of 1 to 100 ids, with commas between them\./)
  }
  assertError(await send('/v1/pets?ids=1&name=!'), 'invalid_parameter')
})

test('a cursor of a list by ids belongs to these ids', async (t) => {
  const { send } = await startShop(t, sqliteInMemory)

  const { headers } = await send('/v1/pets?ids=1,2,3&limit=2')

  const cursor = headers.get('next-cursor')
  assert.deepEqual((await send(`/v1/pets?ids=1,2,3&cursor=${cursor}`)).body, [
    { id: 3, name: 'Zoran', categoryId: 2, status: 'sold' },
  ])
  assertError(await send(`/v1/pets?ids=1,2,4&cursor=${cursor}`), 'invalid_parameter')
})

async function startShop(t: TestContext, engine: typeof sqliteInMemory): Promise<TestApp> {
  const app = await startApp(t, { engine })
  const { pets } = app.storage
  await pets.create({ name: 'Zoë', categoryId: 1n, status: 'sold' })
  await pets.create({ name: 'Tom', categoryId: 1n, status: 'available' })
  await pets.create({ name: 'Zoran', categoryId: 2n, status: 'sold' })
  await pets.create({ name: 'Rex', categoryId: 2n })
  // A large name is read by itself.
  await pets.create({ name: `Ada ${'x'.repeat(2_000)}`, categoryId: 2n, status: 'pending' })
  return app
}
