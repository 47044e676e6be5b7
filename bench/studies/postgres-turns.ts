import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Creation } from '../../src/inventory/pets.ts'
import type { Placement } from '../../src/inventory/orders.ts'
import { openStorage } from '../../src/storage/open.ts'
import { type Histories, openHistories } from '../../src/storage/postgres/writes/begin-history.ts'
import { connect } from '../../src/storage/postgres/connection/connect.ts'
import type { Session } from '../../src/storage/postgres/connection/database.ts'
import { readServer } from '../../src/storage/postgres/connection/server.ts'
import type { WriteResult } from '../../src/storage/postgres/rules/rule-writes.ts'
import { writerSettings } from '../../src/storage/postgres/writes/writer.ts'
import { commitGroup, type WriteRequest } from '../../src/storage/postgres/writes/writes.ts'
import { startPostgres } from '../../test/support/postgres-server.ts'
import { animal } from '../data.ts'
import { medianOf } from '../measure.ts'
import { count, short, table } from '../report.ts'

// All transactions that write take turns at one row. How many turns are there in a second, and how many writes? The
// engine's own groups, without HTTP: from one writer and from four, over a wire of 0, 0.5 and 1 ms there and back, with a
// synchronous replica and without. Orders are placed by one group and cancelled by the next.
// `node bench/studies/postgres-turns.ts` prints a table; docs/scaling.md says what follows.

const seconds = 2
const roundTrips = [0, 0.5, 1]
const shapes = [
  { writers: 1, size: 1, kind: 'creates' },
  { writers: 1, size: 64, kind: 'creates' },
  { writers: 1, size: 1_000, kind: 'creates' },
  { writers: 4, size: 64, kind: 'creates' },
  { writers: 1, size: 64, kind: 'creates with a key' },
  { writers: 1, size: 1, kind: 'orders' },
  { writers: 1, size: 64, kind: 'orders' },
  { writers: 4, size: 64, kind: 'orders' },
] as const
type Shape = (typeof shapes)[number]

let keys = 0

function creates(size: number, hasKey: boolean): WriteRequest[] {
  const at = Date.now()
  return Array.from({ length: size }, (_, index) => {
    const { name, categoryId } = animal(index + 1)
    const pet = { name, categoryId: BigInt(categoryId), status: 'available' }
    const idempotencyKey = { keyId: 'key_bench', name: `${at} ${++keys}`, fingerprint: 'the same' }
    return ['createPet', { pet, at, ...(hasKey && { idempotencyKey }) }] as const
  })
}

/** Commits the groups of one writer, one with each call. */
async function committer(session: Session, histories: Histories, { kind, size }: Shape): Promise<() => Promise<void>> {
  if (kind !== 'orders') return async () => void valuesOf(await commit(creates(size, kind !== 'creates')))
  const pets = valuesOf(await commit(creates(size, false))) as Extract<Creation, { pet: unknown }>[]
  let placed: Extract<Placement, { order: unknown }>[] = []
  return async () => {
    const at = Date.now()
    if (placed.length > 0) {
      valuesOf(
        await commit(placed.map(({ order }) => ['updateOrder', { id: order.id, change: { status: 'cancelled' }, at }])),
      )
      placed = []
    } else {
      placed = valuesOf(
        await commit(pets.map(({ pet }) => ['placeOrder', { order: { petId: pet.id }, at }])),
      ) as typeof placed
    }
  }

  function commit(group: WriteRequest[]): Promise<WriteResult[]> {
    return commitGroup(session, histories, group)
  }
}

function valuesOf(results: readonly WriteResult[]): unknown[] {
  return results.map((result) => {
    if ('error' in result) throw result.error
    return result.value
  })
}

/** Groups that were committed in a second, by all writers together. */
async function measure(committers: readonly (() => Promise<void>)[]): Promise<number> {
  let done = 0
  const writeUntil = async (commit: () => Promise<void>, end: number) => {
    while (performance.now() < end) {
      await commit()
      done++
    }
  }
  const all = (milliseconds: number) => {
    const end = performance.now() + milliseconds
    return Promise.all(committers.map((commit) => writeUntil(commit, end)))
  }
  await all(500)
  done = 0
  const started = performance.now()
  await all(seconds * 1_000)
  return (done * 1_000) / (performance.now() - started)
}

async function roundTripOf(session: Session): Promise<number> {
  const times: number[] = []
  for (let nth = 0; nth < 200; nth++) {
    const started = performance.now()
    await session.run({ name: 'nothing', text: 'SELECT 1' })
    times.push(performance.now() - started)
  }
  return medianOf(times)
}

async function startWire(port: number, roundTrip: number): Promise<{ port: number; wire?: ChildProcess }> {
  if (roundTrip === 0) return { port }
  const wire = fork(fileURLToPath(new URL('./delay.ts', import.meta.url)), [String(port), String(roundTrip / 2)])
  const [own] = (await once(wire, 'message')) as [number]
  return { port: own, wire }
}

const primary = await startPostgres({ durable: true, settings: { autovacuum: 'on' } })
await (await openStorage(primary.url)).close()
await primary.kill()
const standby = await startPostgres({ durable: true, standbyOf: primary })
await primary.start()

const lines: string[][] = []
for (const replica of ['none', 'one, synchronous']) {
  const admin = await connect(readServer(primary.url))
  await admin.run({ text: `ALTER SYSTEM SET synchronous_standby_names = '${replica === 'none' ? '' : '*'}'` })
  await admin.run({ text: 'SELECT pg_reload_conf()' })
  await admin.end()
  for (const roundTrip of roundTrips) {
    const { port, wire } = await startWire(primary.port, roundTrip)
    const server = readServer(primary.url.replace(`:${primary.port}`, `:${port}`))
    for (const shape of shapes) {
      const { kind, writers, size } = shape
      const sessions = await Promise.all(
        Array.from({ length: writers }, () => connect(server, { settings: writerSettings })),
      )
      const wireTime = await roundTripOf(sessions[0] as Session)
      const histories = await openHistories(sessions[0] as Session, server)
      const committers = []
      for (const session of sessions) committers.push(await committer(session, histories, shape))
      const groups = await measure(committers)
      lines.push([replica, short(wireTime), kind, String(writers), count(size), count(groups), count(groups * size)])
      for (const session of sessions) await session.end()
    }
    wire?.disconnect()
  }
}
const head = ['replica', 'round trip, ms', 'writes', 'writers', 'in a group', 'groups/s', 'writes/s']
console.log(table(head, lines).join('\n'))
await standby.stop()
await primary.stop()
process.exit()
