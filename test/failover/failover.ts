import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Cluster, startCluster, until } from './cluster.ts'
import { type Fault, faults } from './faults.ts'
import { figuresText, record } from './figures.ts'
import { followLists, followPages, followStream } from '../ledger/followers.ts'
import { startInstances } from './instances.ts'
import { type Load, startLoad } from '../ledger/load.ts'
import { assertNothingLost } from '../ledger/verdict.ts'
import { findPrograms } from './packages.ts'

/** By default every kind of fault once. */
const rounds = Number(process.env['PETSTORE_FAILOVER_ROUNDS'] ?? faults.length)
const programs = findPrograms()

test('through every fault of the primary, no acknowledged write is lost or doubled, and no reader sees what never happened', {
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
    const gapMs = await strike(fault, cluster, load)
    console.log(
      `Round ${round + 1} of ${rounds}: ${fault.kind}, ${(gapMs / 1_000).toFixed(1)} s without an acknowledged write.`,
    )
  }
  const { events } = await assertNothingLost(origin, load, followers)
  const figures = {
    rounds,
    acknowledged: load.acknowledged,
    events: events.length,
    interruptions: new Map(followers.map(({ name, interruptions }) => [name, interruptions])),
    gaps: load.gaps.byKind,
  }
  console.log(`Responses after which clients tried again: ${JSON.stringify(Object.fromEntries(load.setbacks))}`)
  record('failover', figuresText(figures))
})

/** One round: strikes and heals the primary. Resolves to the longest gap in milliseconds when the cluster is whole. */
async function strike(fault: Fault, cluster: Cluster, load: Load): Promise<number> {
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
