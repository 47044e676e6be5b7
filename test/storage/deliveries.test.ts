import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { DeliveryLease, DeliveryPosition, NewDeliveryTry } from '../../src/inventory/deliveries.ts'
import type { Storage } from '../../src/inventory/storage.ts'
import { openStorage } from '../../src/storage/open.ts'
import { engines, postgres, sqlite } from '../support/engines.ts'
import { until } from '../support/until.ts'

const hour = 60 * 60_000
const first: NewDeliveryTry = {
  webhookId: 1n,
  eventId: 9_007_199_254_740_993n,
  type: 'petstore.pet.created',
  at: 1_000,
  attempt: 1,
  status: 200,
  durationMs: 12,
  responseStart: 'ok “ü” "quoted" \\ {braces}',
}
const failed: NewDeliveryTry = {
  webhookId: 1n,
  eventId: 2n,
  type: 'petstore.pet.updated',
  at: 2_000,
  attempt: 3,
  durationMs: 15_000,
  error: 'no response within 15 s',
  nextAttemptAt: 302_000,
}
const testTry: NewDeliveryTry = { webhookId: 2n, type: 'petstore.webhook.test', at: 3_000, attempt: 1, durationMs: 0 }
const position: DeliveryPosition = { webhookId: 1n, eventId: 7n, attempts: 0 }

async function leaseOf({ deliveries }: Storage, leaseMs = hour): Promise<DeliveryLease> {
  const lease = await deliveries.acquire(randomUUID(), leaseMs)
  assert.ok(lease !== undefined)
  return lease
}

for (const engine of engines) {
  test(`${engine.name}: deliveries are unattended when nobody has had the lease for a while, although a webhook is enabled`, async (t) => {
    const [hourAgo, second] = [Date.now() - hour, 1_000]
    const { deliveries, webhooks } = await engine.open(t, () => hourAgo)
    const none = await deliveries.unattendedSince()
    await webhooks.create({ url: 'https://shop.example/hook' })
    const neverHad = await deliveries.unattendedSince()
    await deliveries.acquire('first', -20 * second)
    const longAgo = await deliveries.unattendedSince()
    await deliveries.acquire('first', -5 * second)
    const shortAgo = await deliveries.unattendedSince()
    await webhooks.disable(1n, 'requested')
    await deliveries.acquire('first', -20 * second)

    assert.deepEqual([none, neverHad, shortAgo], [undefined, hourAgo, undefined])
    assert.ok(longAgo !== undefined && Math.abs(Date.now() - 20 * second - longAgo) < 10 * second)
    assert.equal(await deliveries.unattendedSince(), undefined)
  })

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
    assert.deepEqual(items, [
      { id: items[0]?.id, ...failed },
      { id: items[1]?.id, ...first },
    ])
    assert.deepEqual(await deliveries.find(2n, id), { id, ...testTry })
    assert.equal(await deliveries.find(1n, id), undefined)
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

  test(`${engine.name}: who lost the lease moves nothing and logs nothing`, async (t) => {
    const storage = await engine.open(t)
    const { deliveries } = storage
    const earlier = await leaseOf(storage, 0)
    const later = await leaseOf(storage)

    const record = { positions: [position], tries: [first] }
    assert.equal(await deliveries.record(earlier, hour, record), false)
    assert.equal(await deliveries.renew(earlier, hour), false)
    await deliveries.release(earlier)

    assert.deepEqual(await byWebhook(storage), [])
    assert.deepEqual((await deliveries.list(1n, 10)).items, [])
    assert.ok(later.generation > earlier.generation)
    assert.equal(await deliveries.record(later, hour, record), true)
    // A failover may lose a generation, which is then given twice.
    assert.equal(await deliveries.record({ ...later, holder: 'another' }, hour, record), false)
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

  test(`${engine.name}: a lease is free when it has ended or was released`, async (t) => {
    const storage = await engine.open(t)
    const { deliveries } = storage
    const lease = await leaseOf(storage)
    assert.equal(await deliveries.acquire('other', hour), undefined)
    assert.equal(await deliveries.renew(lease, hour), true)
    assert.equal(await deliveries.acquire('other', hour), undefined)

    const again = await deliveries.acquire(lease.holder, hour)
    assert.ok(again !== undefined && again.generation === lease.generation + 1n)
    await deliveries.release(again)
    const next = await deliveries.acquire('other', 1)
    await until(async () => (await deliveries.acquire('third', hour)) !== undefined)

    assert.ok(next !== undefined && next.generation === again.generation + 1n)
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

test('sqlite: a new process takes the lease at once, and the one before waits for its end', async (t) => {
  const url = await sqlite.url(t)
  const [one, two] = [await openStorage(url), await openStorage(url)]
  t.after(() => Promise.all([one.close(), two.close()]))
  const lease = await leaseOf(one)

  const taken = await two.deliveries.acquire('two', hour)

  assert.ok(taken !== undefined)
  assert.equal(await one.deliveries.renew(lease, hour), false)
  assert.equal(await one.deliveries.acquire('one', hour), undefined)
})

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

test('postgres: of several instances one has the lease', async (t) => {
  const url = await postgres.url(t)
  const instances = await Promise.all(['a', 'b', 'c'].map(() => openStorage(url)))
  t.after(() => Promise.all(instances.map((instance) => instance.close())))

  const leases = await Promise.all(instances.map(({ deliveries }, index) => deliveries.acquire(`${index}`, hour)))

  assert.equal(leases.filter((lease) => lease !== undefined).length, 1)
})

test('postgres: a lease ends by the time of the server, whatever the clocks of instances say', async (t) => {
  const url = await postgres.url(t)
  const [one, fast, slow] = await Promise.all(
    [0, 2 * hour, -2 * hour].map((ms) => openStorage(url, { clock: () => Date.now() + ms })),
  )
  assert.ok(one !== undefined && fast !== undefined && slow !== undefined)
  t.after(() => Promise.all([one, fast, slow].map((instance) => instance.close())))
  const lease = await leaseOf(one)

  assert.equal(await fast.deliveries.acquire('fast', hour), undefined)
  await one.deliveries.release(lease)
  assert.ok((await slow.deliveries.acquire('slow', hour)) !== undefined)
})

async function byWebhook({ deliveries }: Storage): Promise<DeliveryPosition[]> {
  return (await deliveries.positions()).toSorted((one, other) => Number(one.webhookId - other.webhookId))
}
