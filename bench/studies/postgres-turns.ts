import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { openStorage } from '../../src/storage/open.ts'
import { connect } from '../../src/storage/postgres/connect.ts'
import type { Session } from '../../src/storage/postgres/database.ts'
import { readServer } from '../../src/storage/postgres/server.ts'
import { commitGroup, type WriteRequest } from '../../src/storage/postgres/writes.ts'
import { startPostgres } from '../../test/support/postgres-server.ts'
import { animal } from '../data.ts'
import { medianOf } from '../measure.ts'
import { count, short, table } from '../report.ts'

// All transactions that write take turns at one row. How many turns are there in a second, and how many animals? The
// engine's own groups, without HTTP: from one writer and from four, over a wire of 0, 0.5 and 1 ms there and back, with a
// synchronous replica and without. `node bench/studies/postgres-turns.ts` prints a table; docs/scaling.md says what follows.

const seconds = 2
const roundTrips = [0, 0.5, 1]
const shapes = [
  { writers: 1, size: 1 },
  { writers: 1, size: 64 },
  { writers: 1, size: 1_000 },
  { writers: 4, size: 64 },
]

function groupOf(size: number): WriteRequest[] {
  return Array.from({ length: size }, (_, index) => {
    const { name, categoryId, status } = animal(index + 1)
    return ['createPet', { pet: { name, categoryId: BigInt(categoryId), status }, at: Date.now() }] as const
  })
}

/** Groups that were committed in a second, by all writers together. */
async function measure(sessions: readonly Session[], size: number): Promise<number> {
  const group = groupOf(size)
  let done = 0
  const writeUntil = async (session: Session, end: number) => {
    while (performance.now() < end) {
      await commitGroup(session, group)
      done++
    }
  }
  const all = (milliseconds: number) => {
    const end = performance.now() + milliseconds
    return Promise.all(sessions.map((session) => writeUntil(session, end)))
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
    for (const { writers, size } of shapes) {
      const sessions = await Promise.all(Array.from({ length: writers }, () => connect(server)))
      const wireTime = await roundTripOf(sessions[0] as Session)
      const groups = await measure(sessions, size)
      lines.push([replica, short(wireTime), String(writers), count(size), count(groups), count(groups * size)])
      for (const session of sessions) await session.end()
    }
    wire?.disconnect()
  }
}
const head = ['replica', 'round trip, ms', 'writers', 'animals in a group', 'groups/s', 'animals/s']
console.log(table(head, lines).join('\n'))
await standby.stop()
await primary.stop()
process.exit()
