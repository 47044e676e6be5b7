import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { openStorage } from '../../src/storage/open.ts'
import { ours } from '../columns.ts'
import type { Column } from '../dialect.ts'
import { alternate, type Bench, heatUp, medianOf, requestFile, type Sample, type Subject } from '../measure.ts'
import { count, goal, type Goal, ratio, type Section, short } from '../report.ts'
import { fillColumn, type Server, startServer } from '../servers.ts'
import { newAnimals } from './create.ts'
import type { Question } from './question.ts'
import { connections } from './throughput.ts'

const title = 'create with webhooks'
const endpoints = [0, 1, 100]
const createsPerSecond = 50
const readsPerSecond = 200
/** So that a p99 of creates at a steady rate has enough of them. */
const sliceTimes = 3

/** Does a create wait for the deliveries of events? Each server runs alone: those before it may still deliver. */
export const webhooks: Question = { name: 'webhooks', title, startsServers: true, answer }

/** Of one server: creates as fast as it answers, and at a steady rate beside reads of the events. */
type Samples = Record<'fast' | 'creates' | 'events', Sample>

async function answer(bench: Bench): Promise<Section> {
  const receiver = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(204).end())
  })
  receiver.listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  const columns = endpoints.map((number) => withEndpoints(number, (receiver.address() as AddressInfo).port))
  const rounds = new Map(columns.map(({ name }) => [name, [] as Samples[]]))
  try {
    for (const column of columns) await fillColumn(column, bench.shop)
    for (let round = 0; round < bench.options.rounds; round++) {
      for (const column of columns) rounds.get(column.name)?.push(await measureAlone(bench, column))
    }
  } finally {
    receiver.closeAllConnections()
    receiver.close()
  }
  const medians = columns.map(({ title, name }) => ({ title, ...medianSamples(rounds.get(name) ?? []) }))
  return {
    name: 'webhooks',
    title,
    meaning:
      `Ours with 0, 1 and 100 webhooks for all events. First ${createsPerSecond} creates and ${readsPerSecond} reads of ` +
      `the latest events per second, then creates over ${connections} connections as fast as they are answered. The ` +
      'receiver responds at once, on the core of the load. CPU includes the deliveries.',
    head: ['server', 'p99 ms of creates', 'p99 ms of events', 'creates/s', 'p99 ms', 'CPU µs'],
    lines: medians.map(({ title, creates, events, fast }) => [
      title,
      short(creates.p99),
      short(events.p99),
      count(fast.perSecond),
      short(fast.p99),
      short(fast.cpu),
    ]),
    notes: [],
    goals: goalsOf(medians),
  }
}

function withEndpoints(number: number, port: number): Column {
  return {
    ...ours,
    name: `webhooks-${number}`,
    title: number === 1 ? '1 webhook' : `${number} webhooks`,
    async fill(folder, animals, key) {
      await ours.fill?.(folder, animals, key)
      const storage = await openStorage(`sqlite:${join(folder, 'pets.db')}`)
      for (let path = 0; path < number; path++) {
        await storage.webhooks.create({ url: `http://127.0.0.1:${port}/${path}` })
      }
      await storage.close()
    },
    command(ground) {
      const command = ours.command(ground)
      return { ...command, env: { ...command.env, PETSTORE_WEBHOOKS_ALLOW_PRIVATE: 'true' } }
    },
  }
}

async function measureAlone(bench: Bench, column: Column): Promise<Samples> {
  const { options, shop } = bench
  const server = await startServer(column, shop, options.cores.server)
  try {
    await heatUp(bench, server, shop)
    // First at a steady rate: what 64 connections create is still being delivered long afterwards.
    const steady = { ...bench, options: { ...options, rounds: 1, slice: options.slice * sliceTimes } }
    const { creates, events, fast } = subjectsOf(bench, server)
    const first = await alternate(steady, [creates, events])
    const last = await alternate({ ...bench, options: { ...options, rounds: 1 } }, [fast])
    const medians = new Map([...first.medians, ...last.medians])
    for (const notes of [first.notes, last.notes]) {
      const failed = notes.find((note) => note.includes('failed**'))
      if (failed !== undefined) throw new Error(failed)
    }
    const sample = (subject: Subject) => medians.get(subject.name) as Sample
    return { creates: sample(creates), events: sample(events), fast: sample(fast) }
  } finally {
    await server.stop()
  }
}

function subjectsOf({ shop }: Bench, server: Server): Record<keyof Samples, Subject> {
  const { name, dialect } = server.column
  const creates = { requests: requestFile(shop, `create-${name}`, newAnimals(dialect) ?? []), expected: 201 }
  const reads = requestFile(shop, `events-${name}`, [{ method: 'GET', path: '/v1/events?sort=-id&limit=20' }])
  const steady = { ...creates, connections: 4, perSecond: createsPerSecond }
  const events = { requests: reads, expected: 200, connections: 4, perSecond: readsPerSecond }
  return {
    creates: { name: `${name}, creates`, server, streams: [steady, events] },
    events: { name: `${name}, events`, server, streams: [events, steady] },
    fast: { name: `${name}, fast`, server, streams: [{ ...creates, connections }] },
  }
}

function medianSamples(rounds: readonly Samples[]): Samples {
  const middle = (kind: keyof Samples): Sample => {
    const samples = rounds.map((round) => round[kind])
    const names = Object.keys(samples[0] ?? {}) as (keyof Sample)[]
    return Object.fromEntries(
      names.map((name) => [name, medianOf(samples.map((sample) => sample[name]))]),
    ) as unknown as Sample
  }
  return { fast: middle('fast'), creates: middle('creates'), events: middle('events') }
}

function goalsOf([none, one, many]: readonly Samples[]): Goal[] {
  if (none === undefined || one === undefined || many === undefined) return []
  const p99 = (kind: 'creates' | 'events', name: string): Goal => {
    const times = one[kind].p99 / none[kind].p99
    return goal(`webhooks: p99 of ${name} with one within 10 % of that without`, ratio(times), times <= 1.1)
  }
  const times = many.fast.perSecond / none.fast.perSecond
  return [
    goal('webhooks: with 100 at least 0.95 × the creates per second without', ratio(times), times >= 0.95),
    p99('creates', 'creates'),
    p99('events', 'GET /events'),
  ]
}
