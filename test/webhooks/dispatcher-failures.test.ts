import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { NewDeliveryTry } from '../../src/inventory/deliveries.ts'
import { engines, sqliteInMemory } from '../support/engines.ts'
import { until } from '../support/until.ts'
import { startReceiver } from '../support/webhook-receiver.ts'
import { addPets, deliver, webhook } from '../support/dispatching.ts'

const second = 1_000
const hour = 60 * 60 * second

for (const engine of engines) {
  test(`${engine.name}: an event that happened after a change of types or address finds the webhook changed`, async (t) => {
    const storage = await engine.open(t)
    const receiver = await startReceiver(t)
    const { id } = await webhook(storage, `${receiver.url}/old`, ['petstore.order.placed'])
    const { stats } = deliver(t, storage, { refreshMs: hour })
    await until(() => stats()?.healthy === 1)

    await storage.webhooks.update(id, { types: ['petstore.pet.created'] })
    await addPets(storage, 1)
    await until(() => receiver.received.length === 1)
    await storage.webhooks.update(id, { url: `${receiver.url}/new` })
    await addPets(storage, 1)
    await until(() => receiver.received.length === 2)

    assert.deepEqual(receiver.ids('/old'), ['1'])
    assert.deepEqual(receiver.ids('/new'), ['2'])
  })
}

test('a failing event holds back those behind it, and is tried after 5 s, 30 s, 5 min, 30 min, then hourly', async (t) => {
  const storage = await sqliteInMemory.open(t)
  let status = 500
  const receiver = await startReceiver(t, () => status)
  await webhook(storage, receiver.url)
  const { tries, later, stats } = deliver(t, storage)
  await addPets(storage, 3)
  const minute = 60 * second

  const waits = [5 * second, 30 * second, 5 * minute, 30 * minute, hour, hour]
  for (const [index, wait] of waits.entries()) {
    await until(() => tries.length === index + 1)
    const { at, nextAttemptAt = 0, attempt, eventId } = tries[index] as NewDeliveryTry
    assert.deepEqual([attempt, eventId], [index + 1, 1n])
    const waited = (nextAttemptAt - at) / wait
    assert.ok(waited >= 1 && waited <= 1.2, `${wait} × ${waited}`)
    later(wait * 0.9)
    assert.equal(receiver.received.length, index + 1)
    assert.equal(stats()?.failing, 1)
    if (index === waits.length - 1) status = 204
    later(wait * 0.31)
  }
  await until(() => receiver.received.length === 9)

  assert.deepEqual(receiver.ids(), [...Array(7).fill('1'), '2', '3'])
  await until(() => stats()?.failing === 0)
})

for (const [name, status] of [
  ['a redirect', 307],
  ['404', 404],
  ['an informational status', 199],
] as const) {
  test(`${name} is a failure`, async (t) => {
    const storage = await sqliteInMemory.open(t)
    const receiver = await startReceiver(t, () => (status < 200 ? 600 : status))
    await webhook(storage, receiver.url)
    const { tries } = deliver(t, storage)
    await addPets(storage, 1)
    await until(() => tries.length === 1)

    assert.ok(tries[0]?.nextAttemptAt !== undefined)
  })
}

test('a webhook that fails for three days is disabled, and so is one that responds with 410, at once', async (t) => {
  const storage = await sqliteInMemory.open(t)
  const receiver = await startReceiver(t, ({ path }) => (path === '/gone' ? 410 : 503))
  await webhook(storage, `${receiver.url}/gone`)
  await webhook(storage, `${receiver.url}/failing`)
  const { tries, disabled, later } = deliver(t, storage)
  await addPets(storage, 2)
  await until(() => disabled.length === 1)
  assert.deepEqual(disabled, ['1 gone'])
  assert.equal((await storage.webhooks.find(1n))?.disabledReason, 'gone')

  for (let hours = 0; hours < 70; hours += 2) {
    const before = tries.length
    later(2 * hour)
    await until(() => tries.length === before + 1)
  }
  assert.equal((await storage.webhooks.find(2n))?.enabled, true)
  later(2 * hour)
  await until(() => disabled.length === 2)

  assert.deepEqual(disabled, ['1 gone', '2 failed'])
  assert.equal((await storage.webhooks.find(2n))?.disabledReason, 'failed')
  assert.deepEqual(new Set(receiver.ids()), new Set(['1']))
  const announced = (id: bigint) =>
    tries.filter(({ webhookId }) => webhookId === id).map(({ nextAttemptAt }) => nextAttemptAt !== undefined)
  assert.deepEqual(announced(1n), [false])
  assert.equal(announced(2n).indexOf(false), announced(2n).length - 1)
})

test('a failing webhook that gets another address is tried there at once, from the same event on', async (t) => {
  const storage = await sqliteInMemory.open(t)
  const broken = await startReceiver(t, () => 500)
  const receiver = await startReceiver(t)
  const { id } = await webhook(storage, broken.url)
  const { tries } = deliver(t, storage)
  await addPets(storage, 2)
  await until(() => tries.length === 1)

  await storage.webhooks.update(id, { url: receiver.url })
  await until(() => receiver.received.length === 2)

  assert.deepEqual(receiver.ids(), ['1', '2'])
  assert.deepEqual(broken.ids(), ['1'])
})

test('webhooks that hang do not hold back the others', async (t) => {
  const storage = await sqliteInMemory.open(t)
  const hanging = await startReceiver(t, () => undefined)
  const receiver = await startReceiver(t)
  for (let count = 0; count < 100; count++) await webhook(storage, `${hanging.url}/${count}`)
  await webhook(storage, receiver.url)
  const { tries } = deliver(t, storage)

  await addPets(storage, 5)
  await until(() => receiver.received.length === 5)

  // No try of a webhook that hangs has ended: the others did not wait for that.
  assert.deepEqual(
    tries.filter(({ error }) => error !== undefined),
    [],
  )
  await until(() => hanging.received.length === 100)
})

test('failures of an event that is not wanted any more do not count for the next one', async (t) => {
  const storage = await sqliteInMemory.open(t)
  const receiver = await startReceiver(t, () => 500)
  const { id } = await webhook(storage, receiver.url)
  const { tries, later, stats, disabled, tick } = deliver(t, storage, { refreshMs: 0 })
  await addPets(storage, 1)
  await until(() => stats()?.failing === 1)

  await storage.webhooks.update(id, { types: ['petstore.pet.deleted'] })
  await tick() // One that may have begun before the change.
  await tick()
  later(10 * second)
  await until(() => stats()?.failing === 0)
  later(96 * hour)
  const before = tries.length
  await storage.pets.remove(1n)
  await until(() => tries.length > before && stats()?.failing === 1)

  assert.equal(tries.at(-1)?.attempt, 1)
  assert.deepEqual(disabled, [])
})

test('a clock that is set back does not put off the next try', async (t) => {
  const storage = await sqliteInMemory.open(t)
  let status = 500
  const receiver = await startReceiver(t, () => status)
  await webhook(storage, receiver.url)
  const { later, stats } = deliver(t, storage)
  await addPets(storage, 1)
  await until(() => stats()?.failing === 1)
  status = 204

  later(-1_000 * hour)

  await until(() => stats()?.failing === 0)
})
