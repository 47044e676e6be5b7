import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shopClock } from '../../src/sandbox/clock.ts'
import { startSandbox } from '../support/sandbox.ts'

const rex = { name: 'Rex', categoryId: 1, status: 'available' }
const frozenAt = (now: string) => ({ now, frozen: true })

test('after 5 December 2030 getPet is 410, and before it again 200', async (t) => {
  const { send } = await startSandbox(t, { seed: 'demo' })
  const set = await send('a', 'PUT /sandbox/clock', frozenAt('2030-12-05T00:00:00Z'))
  const gone = await send('a', '/pets/1')
  await send('a', 'PUT /sandbox/clock', { advance: '-PT1S' })
  const back = await send('a', '/pets/1')

  assert.deepEqual([set.status, set.body], [200, { now: '2030-12-05T00:00:00.000Z', speed: 1, frozen: true }])
  assert.deepEqual([gone.status, (gone.body as { code: string }).code], [410, 'gone'])
  assert.equal(back.status, 200)
  assert.equal((await send('b', '/pets/1')).status, 200, 'other shops have their own time')
})

test('keys expire by the clock of the shop', async (t) => {
  const { send } = await startSandbox(t)
  await send('a', 'PUT /sandbox/clock', frozenAt('2027-01-01T00:00:00Z'))
  const expiresAt = '2027-01-02T00:00:00Z'
  const { key, createdAt } = (await send('a', 'POST /keys', { name: 'till', expiresAt })).body as Record<string, string>

  assert.equal(createdAt, '2027-01-01T00:00:00.000Z')
  assert.equal((await send(key as string, '/pets')).status, 200)
  await send('a', 'PUT /sandbox/clock', { advance: 'P1D' })
  assert.equal((await send(key as string, '/pets')).status, 401)
})

test('what ends after the year 9999 ends with it, because RFC 3339 has no later time', async (t) => {
  const { send } = await startSandbox(t)
  const end = '9999-12-31T23:59:59.999Z'
  await send('a', 'POST /webhooks', { url: 'http://127.0.0.1:1/hook' })
  const { id } = (await send('a', 'POST /keys', { name: 'till' })).body as { id: string }
  await send('a', 'PUT /sandbox/clock', frozenAt('9999-12-31T12:00:00Z'))

  const invited = await send('a', 'POST /invitations', { name: 'Anna', permission: 'write' })
  const rotatedKey = await send('a', `POST /keys/${id}/rotate`, {})
  const rotatedWebhook = await send('a', 'POST /webhooks/1/rotate')

  assert.deepEqual([invited.status, (invited.body as { expiresAt: string }).expiresAt], [201, end])
  assert.equal((rotatedKey.body as { replacedKeyExpiresAt: string }).replacedKeyExpiresAt, end)
  assert.equal((rotatedWebhook.body as { previousSecretExpiresAt: string }).previousSecretExpiresAt, end)
  await send('a', 'PUT /sandbox/clock', frozenAt(end))
  assert.equal((await send('a', 'POST /invitations', { name: 'Ben', permission: 'read' })).status, 400)
})

test('idempotency keys are replayed for 24 hours of the shop', async (t) => {
  const { send } = await startSandbox(t)
  await send('a', 'PUT /sandbox/clock', { frozen: true })
  const create = async () => (await send('a', 'POST /pets', rex, { 'idempotency-key': 'one' })).body as { id: number }
  await create()
  await send('a', 'PUT /sandbox/clock', { advance: 'PT23H59M59S' })
  const replayed = await create()
  await send('a', 'PUT /sandbox/clock', { advance: 'PT1S' })
  const again = await create()

  assert.deepEqual([replayed.id, again.id], [1, 2])
})

test('orders and events have the time of the shop, and events are forgotten after 30 days of it', async (t) => {
  const { send } = await startSandbox(t, { seed: 'demo' })
  await send('a', 'PUT /sandbox/clock', frozenAt('2031-01-01T00:00:00Z'))
  const order = (await send('a', 'POST /store/orders', { petId: 1 })).body as { placedAt: string }
  const [event] = (await send('a', '/events')).body as { time: string }[]
  await send('a', 'PUT /sandbox/clock', { advance: 'P31D' })

  assert.deepEqual([order.placedAt, event?.time], ['2031-01-01T00:00:00.000Z', '2031-01-01T00:00:00.000Z'])
  assert.deepEqual((await send('a', '/events')).body, [])
})

test('a reset returns to the real time; a snapshot has the clock', async (t) => {
  const { send } = await startSandbox(t)
  await send('a', 'PUT /sandbox/clock', { ...frozenAt('2031-01-01T00:00:00Z'), speed: 60 })
  const snapshot = (await send('a', '/sandbox/snapshot')).text
  await send('a', 'POST /sandbox/reset')
  const real = (await send('a', '/sandbox/clock')).body as { now: string; frozen: boolean }
  await send('a', 'PUT /sandbox/snapshot', snapshot)

  assert.deepEqual([real.now < '2031', real.frozen], [true, false])
  assert.deepEqual((await send('a', '/sandbox/clock')).body, {
    now: '2031-01-01T00:00:00.000Z',
    speed: 60,
    frozen: true,
  })
  assert.equal((await send('a', '/sandbox/snapshot')).text, snapshot)
  const broken = snapshot.replace('"speed":60', '"speed":0')
  assert.match((await send('a', 'PUT /sandbox/snapshot', broken)).text, /Line 1: clock must be as in a snapshot/)
})

test('a wrong time is 400 and changes nothing', async (t) => {
  const { send } = await startSandbox(t)
  const before = (await send('a', 'PUT /sandbox/clock', frozenAt('2027-01-01T00:00:00Z'))).body

  for (const [body, message] of [
    [{ now: 'tomorrow' }, /now must be a time such as/],
    [{ now: '1969-12-31T23:59:59Z' }, /from 1970 to 9999/],
    [{ advance: 'P' }, /advance must be a duration/],
    [{ advance: '1D' }, /advance must be a duration/],
    [{ advance: 'P9999Y' }, /from 1970 to 9999/],
    [{ advance: 'P1D', now: '2027-01-01T00:00:00Z' }, /advance must not be given together with now/],
    [{ speed: 0 }, /speed must be an integer from 1/],
    [{ advance: 'P1D', freeze: true }, /Unknown member: \\?"freeze\\?"\. Known: now, advance, speed, frozen\./],
    [{ frozen: 'yes' }, /frozen must be one of true, false/],
  ] as const) {
    const { status, text } = await send('a', 'PUT /sandbox/clock', body)
    assert.equal(status, 400, JSON.stringify(body))
    assert.match(text, message)
  }
  assert.deepEqual((await send('a', '/sandbox/clock')).body, before)
})

test('the time of a shop runs, at its speed, and may stand still', () => {
  let real = Date.parse('2026-01-31T00:00:00Z')
  const clock = shopClock(() => real)
  const after = (ms: number) => {
    real += ms
    return clock.state().now
  }

  assert.equal(after(1000), '2026-01-31T00:00:01.000Z')
  clock.change({ speed: 60 })
  assert.equal(after(1000), '2026-01-31T00:01:01.000Z')
  clock.change({ frozen: true })
  assert.equal(after(1000), '2026-01-31T00:01:01.000Z')
  clock.change({ frozen: false, speed: 1, advance: 'P1M' })
  assert.equal(after(0), '2026-02-28T00:01:01.000Z')
  clock.change({ advance: 'P1Y1W' })
  assert.equal(after(0), '2027-03-07T00:01:01.000Z')
  clock.change({ speed: 1_000_000 })
  assert.equal(after(1e15), '9999-12-31T23:59:59.999Z')
})
