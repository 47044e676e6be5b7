import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DeliveryPosition } from '../../src/inventory/deliveries.ts'
import { openStorage } from '../../src/storage/open.ts'
import { engines, postgres, sqlite } from '../support/engines.ts'
import { byWebhook, failed, first, hour, leaseOf, position, testTry } from '../support/stored-deliveries.ts'

for (const engine of engines) {
  test(`${engine.name}: positions and tries are stored together, and read as they were`, async (t) => {
    const storage = await engine.open(t)
    const { deliveries } = storage
    const lease = await leaseOf(storage)
    const failing: DeliveryPosition = {
      webhookId: 2n,
      eventId: 9_007_199_254_740_993n,
      attempts: 3,
      failingSince: 1_000,
      nextAttemptAt: 302_000,
    }

    assert.equal(await deliveries.record(lease, hour, { positions: [position, failing], tries: [first, failed] }), true)
    const id = await deliveries.addTry(testTry)

    assert.deepEqual(await byWebhook(storage), [position, failing])
    const { items } = await deliveries.list(1n, 10)
    const { lineage } = await storage.events.latest()
    const ofEvent = lineage === undefined ? {} : { lineage }
    assert.deepEqual(items, [
      { id: items[0]?.id, ...failed, ...ofEvent },
      { id: items[1]?.id, ...first, ...ofEvent },
    ])
    assert.deepEqual(await deliveries.find(2n, id), { id, ...testTry })
    assert.equal(await deliveries.find(1n, id), undefined)
  })

  test(`${engine.name}: the tries of each database are numbered from 1`, async (t) => {
    for (const name of ['one', 'another, which a test may have had before']) {
      await t.test(name, async (t) => {
        const { deliveries } = await engine.open(t)

        assert.deepEqual([await deliveries.addTry(testTry), await deliveries.addTry(testTry)], [1n, 2n])
      })
    }
  })

  test(`${engine.name}: an enabled webhook fails since the first try of its next event`, async (t) => {
    const storage = await engine.open(t, () => 5_000)
    const { deliveries, webhooks } = storage
    for (let count = 0; count < 5; count++) await webhooks.create({ url: 'https://shop.example.com/hook' })
    await webhooks.disable(4n, 'failed')
    const failing = { eventId: 0n, attempts: 2, failingSince: 6_000, nextAttemptAt: 7_000 }
    const positions = [
      { webhookId: 1n, ...failing },
      { webhookId: 2n, eventId: 0n, attempts: 0 },
      // From before it got this address.
      { webhookId: 3n, ...failing, failingSince: 4_999 },
      { webhookId: 4n, ...failing },
      // Removed.
      { webhookId: 9n, ...failing },
    ]
    await deliveries.record(await leaseOf(storage), hour, { positions, tries: [] })

    assert.deepEqual(await deliveries.failing(), new Map([[1n, 6_000]]))
  })

  test(`${engine.name}: a later position replaces an earlier one, also its failures`, async (t) => {
    const storage = await engine.open(t)
    const lease = await leaseOf(storage)
    const record = (moved: DeliveryPosition) =>
      storage.deliveries.record(lease, hour, { positions: [moved], tries: [] })
    await record({ ...position, attempts: 2, failingSince: 1, nextAttemptAt: 2 })

    await record({ ...position, eventId: 8n })

    assert.deepEqual(await byWebhook(storage), [{ ...position, eventId: 8n }])
  })

  test(`${engine.name}: tries are listed page by page, the latest first`, async (t) => {
    const storage = await engine.open(t)
    const { deliveries } = storage
    for (let attempt = 1; attempt <= 5; attempt++) await deliveries.addTry({ ...first, attempt })
    await deliveries.addTry(testTry)

    const page = await deliveries.list(1n, 2)
    const next = await deliveries.list(1n, 2, page.items.at(-1)?.id)
    const last = await deliveries.list(1n, 2, next.items.at(-1)?.id)

    const attempts = [page, next, last].map(({ items, more }) => [more, ...items.map(({ attempt }) => attempt)])
    assert.deepEqual(attempts, [
      [true, 5, 4],
      [true, 3, 2],
      [false, 1],
    ])
  })

  test(`${engine.name}: the log keeps the latest 1,000 tries of a webhook, and none that is too old`, async (t) => {
    const storage = await engine.open(t)
    const { deliveries } = storage
    const lease = await leaseOf(storage)
    const many = Array.from({ length: 1_010 }, (_, index) => ({ ...first, attempt: index + 1, at: 10_000 + index }))
    const others = [testTry, { ...testTry, at: 20_000 }]
    await deliveries.record(lease, hour, { positions: [], tries: [...many, ...others] })

    await deliveries.forget([1n, 3n])
    assert.equal(await deliveries.forgetOld(10_000), 1)

    const { items } = await deliveries.list(1n, 2_000)
    assert.deepEqual([items.length, items[0]?.attempt, items.at(-1)?.attempt], [1_000, 1_010, 11])
    assert.deepEqual(
      (await deliveries.list(2n, 10)).items.map(({ at }) => at),
      [20_000],
    )
    assert.equal(await deliveries.forgetOld(10_100), 90)
    assert.equal((await deliveries.list(1n, 2_000)).items.length, 910)
  })

  test(`${engine.name}: the position of a removed webhook is deleted with old tries`, async (t) => {
    const storage = await engine.open(t)
    const { deliveries, webhooks } = storage
    for (const url of ['https://one.example', 'https://two.example']) await webhooks.create({ url })
    const positions = [position, { ...position, webhookId: 2n }]
    await deliveries.record(await leaseOf(storage), hour, { positions, tries: [] })
    await webhooks.remove(1n)

    assert.equal(await deliveries.forgetOld(0), 0)

    assert.deepEqual(await byWebhook(storage), [{ ...position, webhookId: 2n }])
  })

  test(`${engine.name}: a position of a history that the database does not have is not stored`, async (t) => {
    const storage = await engine.open(t)
    const { deliveries, events, pets } = storage
    for (let count = 0; count < 7; count++) await pets.create({ name: 'Rex', categoryId: 1n })
    const { lineage } = await events.latest()
    const lease = await leaseOf(storage)
    const record = (eventId: bigint, of = lineage) =>
      deliveries.record(lease, hour, { positions: [{ ...position, eventId }], tries: [first], lineage: of })

    assert.equal(await record(8n), false)
    assert.equal(await record(7n, 'unknown1'), false)
    assert.deepEqual(await byWebhook(storage), [])
    assert.deepEqual((await deliveries.list(1n, 10)).items, [])
    assert.equal(await record(7n), true)

    assert.deepEqual(await byWebhook(storage), [position])
  })

  if (engine.hasVersion) {
    test(`${engine.name}: the version stays with bookkeeping, and changes with every change beside it`, async (t) => {
      const storage = await engine.open(t)
      const { deliveries, pets, version } = storage
      const lease = await leaseOf(storage)
      await pets.create({ name: 'Rex', categoryId: 1n })
      const before = version()

      await deliveries.record(lease, hour, { positions: [position], tries: [first] })
      assert.equal(version(), before)
      await deliveries.renew(lease, hour)
      await deliveries.addTry(testTry)
      await deliveries.forget([1n])
      await deliveries.forgetOld(5_000)
      assert.equal(version(), before)
      await Promise.all([
        deliveries.record(lease, hour, { positions: [position], tries: [first] }),
        pets.create({ name: 'Tom', categoryId: 1n }),
        deliveries.renew(lease, hour),
      ])
      assert.notEqual(version(), before)
    })
  }
}

for (const engine of [sqlite, postgres]) {
  test(`${engine.name}: a position of an ended lineage is stored up to its end`, async (t) => {
    const url = await engine.url(t)
    const before = await openStorage(url)
    for (let count = 0; count < 7; count++) await before.pets.create({ name: 'Rex', categoryId: 1n })
    const { lineage } = await before.events.latest()
    await before.close()
    const storage = await openStorage(url)
    t.after(() => storage.close())
    await storage.pets.create({ name: 'Tom', categoryId: 1n })
    const lease = await leaseOf(storage)
    const record = (eventId: bigint) =>
      storage.deliveries.record(lease, hour, { positions: [{ ...position, eventId }], tries: [], lineage })

    assert.notEqual((await storage.events.latest()).lineage, lineage)
    assert.equal(await record(8n), false)
    assert.equal(await record(7n), true)
  })
}
