import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deliverNow } from '../../src/webhooks/deliver-now.ts'
import { sqliteInMemory } from '../support/engines.ts'
import { startReceiver, verify } from '../support/webhook-receiver.ts'

const message = { id: 'test_1', body: '{"id":"test_1","type":"petstore.webhook.test"}', type: 'petstore.webhook.test' }
const [secret, old] = ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD']

test('a message that was asked for is sent once, signed and logged', async (t) => {
  const { deliveries } = await sqliteInMemory.open(t)
  let status = 500
  const receiver = await startReceiver(t, () => status)
  const endpoint = { id: 7n, url: receiver.url, secret, previousSecret: { secret: old, expiresAt: 2_000 } }
  const options = { deliveries, addresses: { allowPrivate: true } }

  const failed = await deliverNow(message, endpoint, options)
  status = 204
  const sent = await deliverNow({ ...message, eventId: 3n }, endpoint, { ...options, shopClock: () => 1_000 })

  assert.deepEqual([failed.status, failed.attempt, failed.responseStart], [500, 1, 'a response'])
  assert.deepEqual([sent.status, sent.eventId], [204, 3n])
  assert.deepEqual((await deliveries.list(7n, 10)).items, [sent, failed])
  assert.deepEqual(await deliveries.positions(), [])
  for (const each of receiver.received) verify(each, secret)
  const [first, second] = receiver.received
  assert.ok(first !== undefined && second !== undefined)
  assert.throws(() => verify(first, old))
  verify(second, old)
})
