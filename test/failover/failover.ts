import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Animal, ask, type Order, readAll, type WireEvent } from './client.ts'
import { type Cluster, startCluster, until } from './cluster.ts'
import { type Fault, faults } from './faults.ts'
import { figuresText, record } from './figures.ts'
import { followLists, followPages, followStream } from './followers.ts'
import { startInstances } from './instances.ts'
import { compare, type Shop } from './ledger.ts'
import { type Load, startLoad } from './load.ts'
import { findPrograms } from './packages.ts'

/** Every kind of fault once, unless told otherwise. */
const rounds = Number(process.env['PETSTORE_FAILOVER_ROUNDS'] ?? faults.length)
const programs = findPrograms()

test('whatever befalls the primary, nothing acknowledged is lost, nothing exists twice, and nobody is told what never happened', {
  skip: typeof programs === 'string' && programs,
}, async (t) => {
  if (typeof programs === 'string') return
  const cluster = await startCluster(t, programs)
  const { origin } = cluster
  await startInstances(t, cluster)
  const followers = [followStream(t, origin), followPages(t, origin), followLists(t, origin)]
  const load = startLoad(t, origin)
  await load.flows()

  for (let round = 0; round < rounds; round++) {
    const fault = faults[round % faults.length] as Fault
    const gapMs = await befall(fault, cluster, load)
    console.log(
      `Round ${round + 1} of ${rounds}: ${fault.kind}, ${(gapMs / 1_000).toFixed(1)} s without an acknowledged write.`,
    )
  }
  await load.stop()
  const shop: Shop = {
    animals: await readAll<Animal>(origin, '/pets?limit=100'),
    orders: await readAll<Order>(origin, '/store/orders?limit=100'),
    events: await readAll<WireEvent>(origin, '/events?limit=100&after=0'),
  }
  for (const follower of followers) await follower.caughtUp(shop)
  const answered = load.ledger.lives.filter(({ told }) => told.length > 0).slice(-50)
  const replayed = await Promise.all(
    answered.map(async ({ key, wanted }) =>
      (await ask(origin, 'POST /pets', { body: wanted, headers: { 'idempotency-key': key } })).json(),
    ),
  )

  assert.deepEqual(compare(load.ledger, shop).slice(0, 20), [])
  assert.deepEqual(load.mistakes.slice(0, 20), [])
  for (const follower of followers) assert.deepEqual(follower.compare(shop).slice(0, 20), [], follower.name)
  assert.deepEqual(
    replayed,
    answered.map(({ told }) => told[0]?.data),
  )
  const figures = {
    rounds,
    acknowledged: load.acknowledged,
    events: shop.events.length,
    interruptions: new Map(followers.map(({ name, interruptions }) => [name, interruptions])),
    gaps: load.gaps.byKind,
  }
  console.log(`Answers that made a client try again: ${JSON.stringify(Object.fromEntries(load.setbacks))}`)
  record('failover', figuresText(figures))
})

/** One round, until everything is as before. Resolves to the longest gap in milliseconds. */
async function befall(fault: Fault, cluster: Cluster, load: Load): Promise<number> {
  const primary = await cluster.primary()
  assert.ok(primary !== undefined)
  const end = load.gaps.during(fault.kind)

  await fault.strike(primary, cluster)
  if (fault.deposes) {
    const isDeposed = async () => ![undefined, primary].includes(await cluster.primary(primary))
    await until(isDeposed, 120_000, () => `${primary.name} is still the primary although it was ${fault.kind}.`)
  }
  await load.flows()
  fault.heal(primary)
  await cluster.whole()
  await load.flows()
  return end()
}
