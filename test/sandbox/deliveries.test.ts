import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startSandbox } from '../support/sandbox.ts'
import { until } from '../support/until.ts'
import { startReceiver, verify } from '../support/webhook-receiver.ts'

test('a shop of the sandbox delivers events to this machine, and its journal has them', async (t) => {
  const { send } = await startSandbox(t)
  const receiver = await startReceiver(t)
  const made = await send('a', 'POST /webhooks', { url: `${receiver.url}/hook` })
  const { secret } = made.body as { secret: string }
  // The clock of the shop drives neither deliveries nor their signatures.
  await send('a', 'PUT /sandbox/clock', { now: '2030-01-01T00:00:00Z', frozen: true })

  await send('a', 'POST /pets', { name: 'Rex', categoryId: 1 })
  await send('b', 'POST /pets', { name: 'Tom', categoryId: 1 })
  await until(() => receiver.received.length === 1)

  const [event] = receiver.received
  assert.ok(event !== undefined)
  verify(event, secret)
  const list = async () =>
    (await send('a', '/sandbox/requests?operation=deliverEvents')).body as Record<string, unknown>[]
  await until(async () => (await list()).length === 1)
  const [entry] = await list()
  assert.deepEqual(
    [entry?.['method'], entry?.['path'], entry?.['status'], entry?.['body']],
    ['POST', `${receiver.url}/hook`, 204, event.body],
  )

  await send('a', 'POST /sandbox/reset', { seed: 'empty' })
  await send('a', 'POST /pets', { name: 'Max', categoryId: 1 })
  assert.deepEqual((await send('a', '/webhooks')).body, [])
  assert.equal(receiver.received.length, 1)
})
