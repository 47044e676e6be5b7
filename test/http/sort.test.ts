import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp, type TestApp } from '../support/app.ts'
import { assertError } from '../support/error.ts'

test('animals, orders and events can be listed newest first', async (t) => {
  const app = await startShop(t)

  assert.deepEqual(await walk(app, '/v1/pets?sort=-id&limit=2'), [5, 4, 3, 2, 1])
  assert.deepEqual(await walk(app, '/v1/pets?status=pending&sort=-id&limit=1'), [3, 2, 1])
  assert.deepEqual(await walk(app, '/v1/pets?sort=id&limit=2'), [1, 2, 3, 4, 5])
  assert.deepEqual(await walk(app, '/v1/store/orders?sort=-id&limit=2'), [3, 2, 1])
  const events = Array.from({ length: 11 }, (_none, index) => String(11 - index))
  assert.deepEqual(await walk(app, '/v1/events?sort=-id&limit=4'), events)
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
})

for (const path of [
  '/v1/pets?sort=',
  '/v1/pets?sort=ID',
  '/v1/pets?sort=%2Bid',
  '/v1/pets?sort=id&sort=-id',
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

async function walk({ send }: TestApp, start: string): Promise<unknown[]> {
  const ids: unknown[] = []
  for (let path: string | undefined = start; path !== undefined; ) {
    const { body, headers } = await send(path)
    ids.push(...(body as { id: unknown }[]).map(({ id }) => id))
    path = /<[^>]*(\/v1[^>]*)>; rel="next"/.exec(headers.get('link') ?? '')?.[1]
  }
  return ids
}

async function nextOf({ send }: TestApp, path: string): Promise<string | null> {
  const { headers } = await send(path)
  return new URL(/<([^>]*)>/.exec(headers.get('link') ?? '')?.[1] ?? '').searchParams.get('cursor')
}
