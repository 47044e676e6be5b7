import assert from 'node:assert/strict'
import { test } from 'node:test'
import { numberOf, type WireEvent } from '../support/event-stream.ts'
import { runSql } from '../support/postgres-databases.ts'
import { startPair } from '../support/postgres-pair.ts'
import { until } from '../support/until.ts'
import { startReceiver, verify } from '../support/webhook-receiver.ts'
import { startInstance } from './shop.ts'

const patienceMs = 180_000

test('after a failover to a standby that lacks the last events, every event of its history is delivered, in order', async (t) => {
  const pair = await startPair(t)
  const receiver = await startReceiver(t)
  const hosts = [pair.primary, pair.standby].map(({ port }) => `127.0.0.1:${port}`)
  const shop = await startInstance(t, `postgres://postgres@${hosts.join(',')}/postgres`)
  const { secret } = await shop.ask<{ secret: string }>('POST', '/webhooks', { url: `${receiver.url}/hook` })
  const add = async (count: number, name: string) => {
    for (let index = 0; index < count; index++) await shop.addPet(`${name} ${index}`)
  }
  const stored = async () => (await runSql(pair.primary.url, 'SELECT event_id FROM delivery_positions'))[0]?.[0]
  await add(10, 'kept')
  await until(async () => (await stored()) === '10', patienceMs)
  await pair.caughtUp()
  await pair.standby.kill()
  await add(10, 'lost')
  await until(() => receiver.received.length === 20, patienceMs)

  await pair.primary.kill()
  await pair.standby.start()
  await pair.promote()
  const failedOver = receiver.received.length
  await add(20, 'new')
  const events = await shop.events()
  const last = numberOf(events.at(-1) as WireEvent)
  await until(() => receiver.ids().slice(failedOver).includes(last), patienceMs)

  const later = receiver.received.slice(failedOver).map(({ body }) => JSON.parse(body) as (typeof events)[number])
  const missing = events
    .slice(10)
    .filter(({ id, data }) => !later.some((each) => each.id === id && sameData(each.data, data)))
  assert.deepEqual(missing, [])
  const ids = later.map((event) => Number(numberOf(event)))
  assert.deepEqual(
    ids,
    ids.toSorted((one, other) => one - other),
  )
  for (const each of receiver.received) verify(each, secret)
  // A receiver that drops repeats drops no event of the new history.
  const lost = new Set(receiver.received.slice(10, 20).map(({ headers }) => headers['webhook-id']))
  const reused = receiver.received.slice(failedOver).filter(({ body }) => JSON.parse(body).data.name.startsWith('new'))
  assert.equal(reused.filter(({ headers }) => lost.has(headers['webhook-id'])).length, 0)
})

function sameData(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
