import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encodeCursor } from '../../src/http/replies/cursor.ts'
import { petScope } from '../../src/http/routes/pets.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { engines } from '../support/engines.ts'
import { assertError } from '../support/error.ts'

for (const engine of engines) {
  for (const path of ['/v1/pets?limit=2', '/v1/pets?status=pending&limit=2', '/v1/store/orders?limit=2']) {
    test(`${engine.name}: a cursor of another history is gone: ${path}`, async (t) => {
      const one = await startApp(t, { engine })
      const other = await startApp(t, { engine })
      for (const app of [one, other]) await addOrders(app, 5)
      const next = await nextOf(one, path)

      const refused = await other.send(next)

      assertError(refused, 'gone')
      assert.equal(((await one.send(next)).body as unknown[]).length, 2)
    })
  }
}

test('a cursor that was given before cursors had a history still works, unless its id was never given', async (t) => {
  const app = await startApp(t)
  await addOrders(app, 3)

  const next = await app.send(`/v1/pets?cursor=${encodeCursor({ id: 1n }, petScope({}))}`)
  const beyond = await app.send(`/v1/pets?cursor=${encodeCursor({ id: 4n }, petScope({}))}`)

  assert.deepEqual(
    (next.body as { id: number }[]).map(({ id }) => id),
    [2, 3],
  )
  assertError(beyond, 'gone')
})

async function addOrders({ create, sendJson }: TestApp, count: number): Promise<void> {
  for (let petId = 1; petId <= count; petId++) {
    await create({ name: 'Rex', categoryId: 1, status: 'available' })
    await sendJson('POST /v1/store/orders', { petId })
  }
}

/** What follows the origin in the link to the next page. */
async function nextOf({ send }: TestApp, path: string): Promise<string> {
  const { pathname, search } = new URL(
    /<([^>]+)>; rel="next"/.exec((await send(path)).headers.get('link') ?? '')?.[1] ?? '',
  )
  return pathname + search
}
