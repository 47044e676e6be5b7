import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openStorage } from '../../src/storage/open.ts'
import { engines, postgres, sqlite } from '../support/engines.ts'
import { until } from '../support/until.ts'
import { byWebhook, first, hour, leaseOf, position } from '../support/stored-deliveries.ts'

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
