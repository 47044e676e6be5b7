import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Target } from './connection.ts'
import type { Column } from './dialect.ts'
import type { Stream } from './load.ts'
import type { Loader } from './loader.ts'
import type { Options } from './options.ts'
import { cpuOf, loopCpuOf } from './processes.ts'
import type { Goal } from './report.ts'
import { encodeRequest, type Request } from './requests.ts'
import { leastDisturbed, type Sample } from './samples.ts'
import type { Server, Shop } from './servers.ts'

/** What the questions work with. */
export interface Bench {
  options: Options
  loader: Loader
  /** The columns of this run that work on this machine. */
  columns: readonly Column[]
  shop: Shop
  /** The columns, running, all with the data of the shop. None while a question starts its own. */
  servers: readonly Server[]
  /** The column that the ratios refer to, and what the tables call it. */
  base: Base
  /** A database server that all columns share, if they do. */
  database?: { name: string; pid: number }
  /** Whether the samples of a row are what they should be, beyond what the row itself knows. */
  goals(row: string, samples: ReadonlyMap<string, Sample>): Goal[]
  /** Told what is being done, for whoever watches. */
  say(text: string): void
}

export interface Base {
  name: string
  title: string
  short: string
}

/** One server under one kind of load. Several streams run at once; times and rate are those of the first. */
export interface Subject {
  name: string
  server: Server
  streams: Stream[]
}

/** What each subject costs where others disturb it least, by name, and why, for those that failed. */
export interface Measured {
  samples: Map<string, Sample>
  failures: Map<string, string>
  /** Answers in all rounds and the warm-up, by name. */
  answered: Map<string, number>
  /** What a reader of the numbers has to know. */
  notes: string[]
}

/** Measures all subjects in turn, again and again (A B C A B C): what drifts on the machine, drifts for all. */
export async function alternate(bench: Bench, subjects: readonly Subject[]): Promise<Measured> {
  const { slices, slice, warmUp } = bench.options
  const rounds = new Map(subjects.map(({ name }) => [name, [] as Sample[]]))
  const failures = new Map<string, string>()
  const answered = new Map<string, number>()
  const notes: string[] = []
  for (let round = 0; round <= slices; round++) {
    for (const subject of subjects) {
      const { name, streams } = subject
      if (failures.has(name)) continue
      bench.say(round === 0 ? `warming up ${name}` : `slice ${round} of ${slices}: ${name}`)
      const sample = await measure(bench, round === 0 ? gently(subject) : subject, round === 0 ? warmUp : slice)
      if (typeof sample === 'string') {
        failures.set(name, sample)
        continue
      }
      answered.set(name, (answered.get(name) ?? 0) + sample.answered)
      if (round > 0) rounds.get(name)?.push(sample)
      else if (sample.slowest > slow) notes.push(loadWarning(name, streams))
    }
  }
  const samples = new Map<string, Sample>()
  for (const [name, all] of rounds) {
    if (failures.has(name)) continue
    const sample = leastDisturbed(all)
    samples.set(name, sample)
    if (sample.loadShare > 0.95) {
      notes.push(`${name}: the load was at its own limit, so the server might answer more than this.`)
    }
  }
  for (const [name, reason] of failures) notes.push(`**${name} failed**: ${reason}`)
  return { samples, failures, answered, notes }
}

// A server that takes a tenth of a second for a request would be busy for long with what a warm-up left.
function gently(subject: Subject): Subject {
  const streams = subject.streams.map((stream) => ({ ...stream, connections: Math.ceil(stream.connections / 4) }))
  return { ...subject, streams }
}

/** Milliseconds, in the warm-up. Beyond, what is under way at the end of a measurement takes longer than all of it. */
const slow = 125

function loadWarning(name: string, streams: Stream[]): string {
  for (const stream of streams) stream.connections = Math.ceil(stream.connections / 16)
  return `${name}: over ${streams.map(({ connections }) => connections).join(' and ')} connections, being too slow for more.`
}

/**
 * Lets the runtime compile what matters, before the first row: otherwise that one would look dear. On one core that takes
 * four seconds of load: what compiles waits for the same core.
 */
export async function heatUp({ loader, options, say }: Bench, server: Server, shop: Shop): Promise<void> {
  say(`heating up ${server.column.name}`)
  const requests = requestFile(shop, `heat-${server.column.name}`, [
    { method: 'GET', path: server.column.dialect.list },
  ])
  const streams = [{ requests, connections: 16, expected: 200 }]
  const milliseconds = Math.max(1_500, 2 * options.warmUp)
  await (server.loader ?? loader).run({ ...targetOf(server), milliseconds, streams })
}

/** Where the load finds a server. */
export function targetOf({ port, column }: Server): Target {
  return { port, isSecure: column.isSecure === true }
}

/** One measurement, or why there is none: a number for wrong answers is worse than none. */
async function measure(
  { loader, database }: Bench,
  { server, streams }: Subject,
  milliseconds: number,
): Promise<Sample | string> {
  const cpu = () =>
    [cpuOf(server.pid), database === undefined ? 0 : cpuOf(database.pid), loopCpuOf(server.pid)] as const
  const before = cpu()
  const outcome = await (server.loader ?? loader).run({ ...targetOf(server), milliseconds, streams })
  const after = cpu()
  const bad = outcome.streams.find(({ wrong }) => wrong > 0)
  if (bad !== undefined) return `${bad.wrong} requests went wrong, such as: ${bad.example}`
  const answered = outcome.streams.reduce((sum, stream) => sum + stream.answered, 0)
  const [{ perSecond, p50, p99 }] = outcome.streams as [(typeof outcome.streams)[0]]
  const beside = outcome.streams[1]
  const slowest = Math.max(...outcome.streams.map((stream) => stream.p50))
  return {
    perSecond,
    p50,
    p99,
    cpu: (after[0] - before[0]) / answered,
    databaseCpu: (after[1] - before[1]) / answered,
    loopCpu: (after[2] - before[2]) / answered,
    loadShare: server.loader === undefined ? outcome.loadShare : 0,
    answered,
    besidePerSecond: beside?.perSecond ?? 0,
    besideP99: beside?.p99 ?? 0,
    behindP99: Infinity,
    slowest,
  }
}

/** Writes requests for the load, encoded, into a file of this name. */
export function requestFile({ folder, key }: Shop, name: string, requests: readonly Request[]): string {
  const path = join(folder, `${name}.requests.json`)
  writeFileSync(path, JSON.stringify(requests.map((request) => encodeRequest(request, key))))
  return path
}
