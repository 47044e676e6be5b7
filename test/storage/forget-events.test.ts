import assert from 'node:assert/strict'
import { test } from 'node:test'
import { forgetEvents } from '../../src/inventory/forget-events.ts'
import { engines } from '../support/engines.ts'

const day = 24 * 60 * 60_000
const start = Date.parse('2026-11-01T00:00:00Z')

for (const engine of engines) {
  test(`${engine.name}: events that an enabled webhook has not got are kept for three more days`, async (t) => {
    let now = start
    const storage = await engine.open(t, () => now)
    const { pets, events, webhooks, deliveries } = storage
    const add = () => pets.create({ name: 'Rex', categoryId: 1n })
    const left = async () => (await events.list(100)).items.map(({ id }) => Number(id))
    await add()
    await add()
    await webhooks.create({ url: 'https://one.example/' })
    await webhooks.create({ url: 'https://two.example/' })
    await add()
    await add()
    await add()
    const lease = await deliveries.acquire('a process', day)
    assert.ok(lease !== undefined)
    const positions = [{ webhookId: 1n, eventId: 3n, attempts: 1 }]
    await deliveries.record(lease, day, { positions, tries: [] })

    now = start + 31 * day
    assert.equal(await forgetEvents(storage, 30 * day, now), 2)
    assert.deepEqual(await left(), [3, 4, 5])
    await webhooks.disable(2n, 'requested')
    await forgetEvents(storage, 30 * day, now)
    assert.deepEqual(await left(), [4, 5])
    now = start + 33 * day + 1
    await forgetEvents(storage, 30 * day, now)
    assert.deepEqual(await left(), [])
  })

  test(`${engine.name}: without an enabled webhook events are kept no longer than usual`, async (t) => {
    let now = start
    const storage = await engine.open(t, () => now)
    await storage.webhooks.create({ url: 'https://one.example/' })
    await storage.pets.create({ name: 'Rex', categoryId: 1n })
    await storage.webhooks.disable(1n, 'requested')

    now = start + 30 * day + 1
    assert.equal(await forgetEvents(storage, 30 * day, now), 1)
  })
}
