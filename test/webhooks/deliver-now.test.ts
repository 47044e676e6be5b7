import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deliverNow } from '../../src/webhooks/deliver-now.ts'
import { sqliteInMemory } from '../support/engines.ts'
import { startReceiver, verify } from '../support/webhook-receiver.ts'

const message = { id: 'test_1', body: '{"id":"test_1","type":"petstore.webhook.test"}', type: 'petstore.webhook.test' }
const format = 'json' as const
const [secret, old] = ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD']

test('a message that was asked for is sent once, signed and logged', async (t) => {
  const { deliveries } = await sqliteInMemory.open(t)
  let status = 500
  const receiver = await startReceiver(t, () => status)
  const endpoint = { id: 7n, url: receiver.url, format, secret, previousSecret: { secret: old, expiresAt: 2_000 } }
  const options = { deliveries, addresses: { allowPrivate: true } }

  const failed = await deliverNow(message, endpoint, options)
  status = 204
  const sent = await deliverNow({ ...message, event: { id: 3n } }, endpoint, { ...options, shopClock: () => 1_000 })
  const [{ lineage } = {}] = (await deliveries.list(7n, 1)).items
  const ofLineage = await deliverNow({ ...message, event: { id: 4n, lineage } }, endpoint, options)

  assert.deepEqual([failed.status, failed.attempt, failed.responseStart], [500, 1, 'a response'])
  assert.deepEqual([sent.status, sent.eventId, 'lineage' in sent], [204, 3n, false])
  const [newest, last, earlier] = (await deliveries.list(7n, 10)).items
  assert.deepEqual([ofLineage.eventId, ofLineage.lineage], [4n, lineage])
  assert.deepEqual([ofLineage, { ...sent, lineage }, failed], [newest, last, earlier])
  assert.deepEqual(await deliveries.positions(), [])
  for (const each of receiver.received) verify(each, secret)
  const [first, second] = receiver.received
  assert.ok(first !== undefined && second !== undefined)
  assert.throws(() => verify(first, old))
  verify(second, old)
})

test('a try that was asked for makes room in the log before it, and is heard of with its message', async (t) => {
  const { deliveries } = await sqliteInMemory.open(t)
  const receiver = await startReceiver(t, () => 204)
  const forgotten: (readonly bigint[])[] = []
  const forget: typeof deliveries.forget = (ids) => {
    forgotten.push(ids)
    assert.equal(receiver.received.length, 0)
    return deliveries.forget(ids)
  }
  const heard: unknown[] = []
  const endpoint = { id: 7n, url: receiver.url, format, secret }

  const { id, ...attempt } = await deliverNow(message, endpoint, {
    deliveries: { ...deliveries, forget },
    addresses: { allowPrivate: true },
    clock: () => 5_000,
    tried: (...all) => heard.push(all),
  })

  assert.deepEqual(forgotten, [[7n]])
  assert.deepEqual(heard, [[attempt, endpoint, { id: message.id, body: message.body }]])
  assert.deepEqual([id, attempt.at, attempt.type, 'eventId' in attempt], [1n, 5_000, message.type, false])
  assert.equal(receiver.received[0]?.headers['webhook-timestamp'], '5')
})

test('a try that is ended by its signal rejects, and is not logged', async (t) => {
  const { deliveries } = await sqliteInMemory.open(t)
  const ending = new AbortController()
  const receiver = await startReceiver(t, () => {
    ending.abort()
    return undefined
  })
  const options = { deliveries, addresses: { allowPrivate: true }, signal: ending.signal }

  await assert.rejects(deliverNow(message, { id: 7n, url: receiver.url, format, secret }, options), /service stopped/)

  assert.deepEqual((await deliveries.list(7n, 10)).items, [])
})
