import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allAnimals, create } from './client.ts'
import { type Cluster, startCluster, until } from './cluster.ts'
import { type Fault, faults } from './faults.ts'
import { startInstances } from './instances.ts'
import type { Animal } from './ledger.ts'
import { type Load, startLoad } from './load.ts'
import { findPrograms } from './packages.ts'

/** Every kind of fault once, unless told otherwise. */
const rounds = Number(process.env['PETSTORE_FAILOVER_ROUNDS'] ?? faults.length)
const programs = findPrograms()

test('whatever befalls the primary, nothing acknowledged is lost and nothing exists twice', {
  skip: typeof programs === 'string' && programs,
}, async (t) => {
  if (typeof programs === 'string') return
  const cluster = await startCluster(t, programs)
  await startInstances(t, cluster)
  const load = startLoad(t, cluster.origin)
  await load.flows()

  for (let round = 0; round < rounds; round++) {
    const fault = faults[round % faults.length] as Fault
    const gap = await befall(fault, cluster, load)
    console.log(`Round ${round + 1} of ${rounds}: ${fault.kind}, ${seconds(gap)} without an acknowledged create.`)
  }
  await load.stop()
  const found = await allAnimals(cluster.origin)
  const replayed = await Promise.all(
    [...load.ledger.acknowledged.keys()].slice(-50).map((creation) => create(cluster.origin, creation)),
  )

  assert.deepEqual(load.ledger.compare(found).slice(0, 20), [])
  assert.deepEqual(load.mistakes.slice(0, 20), [])
  const answers = (await Promise.all(replayed.map((answer) => answer.json()))) as Animal[]
  assert.deepEqual(answers, [...load.ledger.acknowledged.values()].slice(-50))
  console.log(`${rounds} rounds, ${load.ledger.acknowledged.size} creates acknowledged: all there, as answered, once.`)
  console.log(`Answers that made a client try again: ${JSON.stringify(Object.fromEntries(load.setbacks))}`)
  console.log('The longest time without an acknowledged create:')
  for (const [kind, gaps] of load.gaps.byKind) console.log(`  ${kind.padEnd(44)}${seconds(Math.max(...gaps))}`)
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

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1_000).toFixed(1)} s`
}
