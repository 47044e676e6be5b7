import assert from 'node:assert/strict'
import { test } from 'node:test'
import { followEvents } from '../support/event-stream.ts'
import { startApp } from '../support/app.ts'
import { startSandbox } from '../support/sandbox.ts'
import { idsOf, rex } from '../support/sandbox-resets.ts'

test('a reset begins again with the seed of the sandbox: ids, keys and idempotency keys too', async (t) => {
  const { send } = await startSandbox(t, { seed: 'demo' })
  const idempotent = { 'idempotency-key': 'again' }
  const first = await send('a', 'POST /pets', rex, idempotent)
  const { key } = (await send('a', 'POST /keys', { name: 'till' })).body as { key: string }
  await send('a', 'DELETE /pets/1')

  const reset = await send('a', 'POST /sandbox/reset')
  const second = await send('a', 'POST /pets', rex, idempotent)

  assert.deepEqual([reset.status, reset.text, reset.headers.get('petstore-sandbox')], [204, '', 'a'])
  assert.deepEqual([second.status, second.headers.get('idempotent-replayed'), second.body], [201, null, first.body])
  assert.equal((await send('a', '/pets?id=1')).text, '[{"id":1,"name":"Rex","categoryId":1,"status":"available"}]')
  assert.equal((await send(key, '/pets')).status, 401)
})

test('a reset chooses a seed by name, or sends one', async (t) => {
  const { send } = await startSandbox(t, { seed: { file: Buffer.from('{"id":5,"name":"Tom","categoryId":2}\n') } })
  const resetTo = async (body: unknown) => {
    const { status } = await send('a', 'POST /sandbox/reset', body)
    return [status, idsOf(await send('a', '/pets?limit=3'))]
  }

  assert.deepEqual(await resetTo({ seed: 'demo' }), [204, [1, 2, 3]])
  assert.deepEqual(await resetTo({ seed: 'empty' }), [204, []])
  assert.deepEqual(await resetTo({}), [204, [5]])
  assert.deepEqual(await resetTo('{"id":70,"name":"A","categoryId":1}\n{"id":8,"name":"B","categoryId":1}'), [
    204,
    [8, 70],
  ])
  assert.equal(((await send('a', 'POST /pets', rex)).body as { id: number }).id, 71)
})

test('an invalid seed is 400, names its line, and changes nothing', async (t) => {
  const { send } = await startSandbox(t)
  await send('a', 'POST /pets', rex)

  for (const [body, message] of [
    ['{"id":1,"name":"A","categoryId":1}\n{"id":2,"name":"B"}\n', /Line 2: categoryId is missing/],
    [{ seed: 'zoo' }, /seed must be one of empty, demo/],
    [{ sed: 'empty' }, /Unknown member: \\?"sed\\?"\. Known: seed\./],
    [['demo'], /must be a JSON object/],
  ] as const) {
    const { status, text } = await send('a', 'POST /sandbox/reset', body)
    assert.equal(status, 400)
    assert.match(text, message)
  }
  assert.equal((await send('a', 'POST /sandbox/reset', {}, { 'content-type': 'text/csv' })).status, 415)
  assert.deepEqual(idsOf(await send('a', '/pets')), [1])
})

test('event positions from before a reset are 410, and streams end with a reason', async (t) => {
  const { origin, send } = await startSandbox(t)
  await send('a', 'POST /pets', rex)
  const position = (await send('a', '/events')).headers.get('event-position')
  const stream = await followEvents(t, { origin, key: 'sandbox_a' })
  const other = await followEvents(t, { origin, key: 'sandbox_b' })

  await send('a', 'POST /sandbox/reset')
  assert.equal(await stream.ended, true)
  await send('a', 'POST /pets', rex)
  await send('b', 'POST /pets', rex)
  await other.until(() => other.events.length === 1)

  assert.match(stream.text(), /: the shop was reset\n\n$/)
  assert.equal((await send('a', `/events?after=${position}`)).status, 410)
})

test('the events of a seeded shop have the same ids in every run, and others after each reset', async (t) => {
  const idsIn = async () => {
    const { send } = await startSandbox(t, { seed: 'demo' })
    const ids: string[] = []
    for (const shop of ['a', 'a', 'b']) {
      await send(shop, 'POST /pets', rex)
      ids.push(...((await send(shop, '/events')).body as { id: string }[]).map(({ id }) => id))
      await send(shop, 'POST /sandbox/reset')
    }
    return ids
  }

  const first = await idsIn()

  assert.deepEqual(await idsIn(), first)
  assert.deepEqual([first.length, new Set(first).size], [3, 3])
})

test('only an admin key may reset and save a shop', async (t) => {
  const { send } = await startSandbox(t)
  const { key } = (await send('a', 'POST /keys', { name: 'till', permission: 'write' })).body as { key: string }

  const statuses = ['POST /sandbox/reset', '/sandbox/snapshot', 'PUT /sandbox/snapshot'].map(
    async (start) => (await send(key, start)).status,
  )

  assert.deepEqual(await Promise.all(statuses), [403, 403, 403])
})

test('the operations of the sandbox are in its document, and not in that of the service, which has none of them', async (t) => {
  const sandbox = await startSandbox(t)
  const service = await startApp(t)
  const pathsOf = async (origin: string) => {
    const document = (await (await fetch(`${origin}/openapi.json`)).json()) as { paths: Record<string, object> }
    return Object.keys(document.paths)
  }

  const own = (await pathsOf(sandbox.origin)).filter((path) => path.startsWith('/sandbox/'))
  assert.ok(own.includes('/sandbox/reset') && own.includes('/sandbox/snapshot'))
  assert.ok((await pathsOf(service.origin)).every((path) => !path.startsWith('/sandbox')))
  for (const path of own) {
    for (const method of ['GET', 'PUT', 'POST', 'DELETE']) {
      assert.equal((await service.send(`/v1${path}`, { method })).status, 404, `${method} ${path}`)
    }
  }
})

test('a shop with a seeded order whose id exceeds a number is written and read as any other', async (t) => {
  const { send } = await startSandbox(t)
  for (const id of [2n ** 53n - 1n, 2n ** 53n + 1n]) {
    const pet = '{"id":1,"name":"A","categoryId":1,"status":"available"}'
    const order = `{"type":"order","id":${id},"petId":9,"status":"completed","placedAt":"2026-01-05T09:00:00Z"}`
    assert.equal((await send('a', 'POST /sandbox/reset', `${pet}\n${order}`)).status, 204)

    const placed = await send('a', 'POST /store/orders', { petId: 1 })
    const cancelled = await send('a', `PATCH /store/orders/${id + 1n}`, { status: 'cancelled' })
    const created = await send('a', 'POST /pets', rex)
    const removed = await send('a', 'DELETE /pets/1')

    const statuses = [placed, cancelled, created, removed].map(({ status }) => status)
    assert.deepEqual(statuses, [201, 200, 201, 204], placed.text)
    assert.match((await send('a', '/store/orders')).text, new RegExp(`"id":${id},.*"id":${id + 1n},`))
  }
})
