import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openStorage } from '../../src/storage/open.ts'
import { ours, withEnvironment } from '../columns.ts'
import type { Column } from '../dialect.ts'
import { alternate, type Bench, heatUp, requestFile, type Subject } from '../measure.ts'
import { median, type Sample } from '../samples.ts'
import { startOn, stop } from '../processes.ts'
import { count, goal, type Goal, ratio, type Section, short } from '../report.ts'
import { fillColumn, type Server, startServer } from '../servers.ts'
import { newAnimals } from './create.ts'
import type { Question } from './question.ts'
import { connections } from './throughput.ts'

const title = 'create with webhooks'
const endpoints = [0, 1, 100]
/** Creates per second of the steady loads, from the least: what was created before may still be delivered. */
const rates = [50, 500, 1_000]
const readsPerSecond = 200
/** So that a p99 at a steady rate has enough requests. */
const sliceTimes = 3
const fast = 'as fast as answered'
const loadName = (perSecond: number) => `${count(perSecond)}/s`

/** Does a create wait for the deliveries of events? Each server runs alone: those before it may still deliver. */
export const webhooks: Question = { name: 'webhooks', title, startsServers: true, answer }

/** One server under the loads, by their names. */
type Samples = Map<string, Sample>

async function answer(bench: Bench): Promise<Section> {
  const receiver = await startReceiver(bench)
  const columns = endpoints.map(withEndpoints)
  const rounds = new Map(columns.map(({ name }) => [name, [] as Samples[]]))
  try {
    for (const column of columns) await fillColumn(column, bench.shop)
    for (let round = 0; round < bench.options.rounds; round++) {
      for (const column of columns) rounds.get(column.name)?.push(await measureAlone(bench, column, receiver))
    }
  } finally {
    await stop(receiver.child)
  }
  const medians = columns.map(({ title, name }) => ({ title, samples: mediansOf(rounds.get(name) ?? []) }))
  const loads = [...(medians[0]?.samples.keys() ?? [])]
  return {
    name: 'webhooks',
    title,
    meaning:
      'Ours with 0, 1 and 100 webhooks for all events. First creates at a steady rate, whatever the server does, beside ' +
      `${readsPerSecond} reads of the latest events per second; then creates over ${connections} connections as fast as ` +
      'they are answered. At a steady rate a time counts from the moment at which the request was due. The receiver ' +
      'responds at once, on the core of the load. CPU is that of a request of either kind, with the deliveries; "loop" is ' +
      'the part of the event loop that serves requests. "Behind" is how late an event came to the receiver: the p99 of ' +
      'those that came during the load.',
    head: [
      'creates',
      'webhooks',
      'creates/s',
      'p50 ms',
      'p99 ms',
      'p99 ms of GET /events',
      'ms behind',
      'loop µs',
      'CPU µs',
    ],
    lines: loads.flatMap((load) =>
      medians.map(({ title, samples }) => {
        const sample = samples.get(load) as Sample
        const reads = load === fast ? '–' : short(sample.besideP99)
        const cpu = [short(sample.loopCpu), short(sample.cpu)]
        const [p50, p99, behind] = [short(sample.p50), short(sample.p99), short(sample.behindP99)]
        return [load, title, count(sample.perSecond), p50, p99, reads, behind, ...cpu]
      }),
    ),
    notes: [],
    goals: goalsOf(medians.map(({ samples }) => samples)),
  }
}

interface Receiver {
  port: number
  child: ChildProcess
}

/** In a process of its own, so that the load does not wait for it. */
async function startReceiver({ options, shop }: Bench): Promise<Receiver> {
  const file = fileURLToPath(new URL('../servers/webhook-receiver.ts', import.meta.url))
  const output = openSync(join(shop.folder, 'webhook-receiver.log'), 'a')
  const command = { file: process.execPath, args: [file] }
  const child = startOn(options.cores.load, command, { temporary: shop.folder, output, ipc: true })
  const [port] = (await once(child, 'message')) as [number]
  return { port, child }
}

function withEndpoints(number: number): Column {
  const allowed = withEnvironment(ours, { PETSTORE_WEBHOOKS_ALLOW_PRIVATE: 'true' })
  return { ...allowed, name: `webhooks-${number}`, title: String(number) }
}

/** How late events came since the last call; Infinity if none came. */
async function behindOf({ child }: Receiver): Promise<number> {
  child.send('behind')
  const [behindP99] = (await once(child, 'message')) as [number | null]
  return behindP99 ?? Infinity
}

async function measureAlone(bench: Bench, column: Column, receiver: Receiver): Promise<Samples> {
  const { options, shop } = bench
  const sliceMs = (options.slices * options.slice) / options.rounds
  const server = await startServer(column, shop, options.cores.server)
  const samples: Samples = new Map()
  try {
    await heatUp(bench, server, shop)
    // Only now: a new webhook starts with the next event, so what warmed up the server is not delivered.
    await replaceWebhooks(`sqlite:${join(shop.folder, column.name, 'pets.db')}`, Number(column.title), receiver.port)
    await behindOf(receiver)
    for (const subject of subjectsOf(bench, server)) {
      const slice = subject.name === fast ? sliceMs : sliceMs * sliceTimes
      const { samples: one, failures } = await alternate({ ...bench, options: { ...options, slices: 1, slice } }, [
        subject,
      ])
      const sample = one.get(subject.name)
      if (sample === undefined) throw new Error(`${column.title}: ${failures.get(subject.name)}`)
      samples.set(subject.name, { ...sample, behindP99: await behindOf(receiver) })
    }
    return samples
  } finally {
    await server.stop()
  }
}

/** The webhooks of the round before still have events to deliver. */
async function replaceWebhooks(database: string, number: number, receiverPort: number): Promise<void> {
  const storage = await openStorage(database)
  await storage.webhooks.disableAll('requested')
  for (let path = 0; path < number; path++) {
    await storage.webhooks.create({ url: `http://127.0.0.1:${receiverPort}/${path}` })
  }
  await storage.close()
}

/** The one without a rate comes last: it leaves more to deliver than the others. */
function subjectsOf({ shop }: Bench, server: Server): Subject[] {
  const { name, dialect } = server.column
  const creates = {
    requests: requestFile(shop, `create-${name}`, newAnimals(dialect) ?? []),
    expected: 201,
    connections,
  }
  const reads = requestFile(shop, `events-${name}`, [{ method: 'GET', path: '/v1/events?sort=-id&limit=20' }])
  const events = { requests: reads, expected: 200, connections: 4, perSecond: readsPerSecond }
  return [
    ...rates.map((perSecond) => ({
      name: loadName(perSecond),
      server,
      streams: [{ ...creates, perSecond }, events],
    })),
    { name: fast, server, streams: [creates] },
  ]
}

function mediansOf(rounds: readonly Samples[]): Samples {
  const loads = [...(rounds[0]?.keys() ?? [])]
  return new Map(loads.map((load) => [load, median(rounds.map((samples) => samples.get(load) as Sample))]))
}

function goalsOf([none, one, many]: readonly Samples[]): Goal[] {
  if (none === undefined || one === undefined || many === undefined) return []
  const times = (load: string, field: keyof Sample, some: Samples) =>
    (some.get(load)?.[field] ?? Number.NaN) / (none.get(load)?.[field] ?? Number.NaN)
  const p99 = (load: string, field: 'p99' | 'besideP99', name: string): Goal => {
    const measured = times(load, field, one)
    return goal(
      `webhooks, ${load}: p99 of ${name} with one within 10 % of that without`,
      ratio(measured),
      measured <= 1.1,
    )
  }
  const rate = times(fast, 'perSecond', many)
  const loop = (name: string, some: Samples): Goal => {
    const measured = times(fast, 'loopCpu', some)
    const title = `webhooks: with ${name} at most 1.03 × the event loop of a create without`
    return goal(title, ratio(measured), measured <= 1.03)
  }
  const behind = (load: string): Goal => {
    const ms = one.get(load)?.behindP99 ?? Number.NaN
    return goal(`webhooks, ${load}: with one, events come at most 1 s late (p99)`, `${short(ms)} ms`, ms <= 1_000)
  }
  return [
    goal('webhooks: with 100 at least 0.95 × the creates per second without', ratio(rate), rate >= 0.95),
    loop('1', one),
    loop('100', many),
    ...rates.flatMap((perSecond) => [
      p99(loadName(perSecond), 'p99', 'creates'),
      p99(loadName(perSecond), 'besideP99', 'GET /events'),
      behind(loadName(perSecond)),
    ]),
  ]
}
