import { deepEqual } from 'node:assert/strict'
import type { Dialect } from '../dialect.ts'
import type { Stream } from '../load.ts'
import { alternate, type Bench, type Measured, requestFile, type Subject } from '../measure.ts'
import type { Sample } from '../samples.ts'
import { count, type Goal, ratio, type Section, short } from '../report.ts'
import type { Request } from '../requests.ts'
import type { Server, Shop } from '../servers.ts'
import type { Question } from './question.ts'

/** A question of the form: how many of these can each server answer, how fast, and what does one cost? */
export interface Throughput {
  name: string
  title: string
  meaning: string
  expected: number | readonly number[]
  /** How many at once, if not 64, and after how many requests each ends, if it does. */
  load?: Partial<Pick<Stream, 'connections' | 'requestsPerConnection'>>
  /** The requests in the words of a server; undefined where it has none for it. */
  requests(dialect: Dialect, shop: Shop): Request[] | undefined
  /** True if a request succeeds only once: none is repeated, not even the first, which was checked. */
  areSentOnce?: true
  /** Throws unless this is the right answer to the first request. */
  check(answer: unknown, shop: Shop, headers: Headers): void
  /** Called before the measurements; what it returns is called after them and returns what is to be noted. */
  watch?(servers: readonly Server[]): Promise<(measured: Measured) => Promise<string[]>>
  goals?(samples: ReadonlyMap<string, Sample>): Goal[]
}

export const connections = 64

export function throughput(question: Throughput): Question {
  const { name, title } = question
  return { name, title, answer: (bench) => answer(bench, question) }
}

async function answer(bench: Bench, question: Throughput): Promise<Section> {
  const { name, title, meaning } = question
  const failures = new Map<string, string>()
  const subjects: Subject[] = []
  for (const server of bench.servers) {
    const { column } = server
    const { areSentOnce, expected } = question
    const requests = question.requests(column.dialect, bench.shop)
    if (requests === undefined) continue
    try {
      await checkFirst(server, requests[0] as Request, question, bench.shop)
      const sent = areSentOnce ? requests.slice(1) : requests
      const file = requestFile(bench.shop, `${name}-${column.name}`, sent)
      const stream = { requests: file, connections, expected, ...question.load }
      subjects.push({ name: column.name, server, streams: [stream] })
    } catch (error) {
      failures.set(column.name, `wrong answer: ${(error as Error).message.split('\n')[0]}`)
    }
  }

  const after = await question.watch?.(subjects.map(({ server }) => server))
  const measured = await alternate(bench, subjects)
  const notes = [...((await after?.(measured)) ?? []), ...measured.notes]
  for (const [column, reason] of failures) notes.push(`**${column} failed**: ${reason}`)
  const base = measured.samples.get(bench.base.name)
  const titles = new Map(bench.servers.map(({ column }) => [column.name, column.title]))
  const lines = [...measured.samples].map(([column, sample]) => line(titles.get(column) as string, sample, base))
  return {
    name,
    title,
    meaning,
    head: headOf(bench),
    lines: bench.database === undefined ? lines : withDatabase(lines, measured),
    notes,
    goals: [...(question.goals?.(measured.samples) ?? []), ...bench.goals(title, measured.samples)],
    ...(base !== undefined && { overview: overview(measured.samples, titles, base) }),
  }
}

async function checkFirst(server: Server, request: Request, question: Throughput, shop: Shop): Promise<void> {
  const { method, path, body, headers } = request
  const reply = await fetch(`${server.origin}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${shop.key}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body }),
    signal: AbortSignal.timeout(30_000),
  })
  const text = await reply.text()
  if (![question.expected].flat().includes(reply.status))
    throw new Error(`${path} was answered with ${reply.status} ${text}`)
  if (server.column.isChecked !== false) question.check(JSON.parse(text), shop, reply.headers)
}

function headOf({ base, database }: Bench): string[] {
  const times = `× ${base.short}`
  const measured = ['requests/s', times, 'p50 ms', times, 'p99 ms', times, 'CPU µs', times]
  return ['server', ...measured, 'load CPU', ...(database === undefined ? [] : [`${database.name} CPU µs`])]
}

function line(title: string, sample: Sample, base: Sample | undefined): string[] {
  const { perSecond, p50, p99, cpu, loadShare } = sample
  const toBase = (field: keyof Sample) => ratio(base && sample[field] / base[field])
  const rate = [count(perSecond), toBase('perSecond')]
  const times = [short(p50), toBase('p50'), short(p99), toBase('p99')]
  return [title, ...rate, ...times, short(cpu), toBase('cpu'), `${Math.round(loadShare * 100)} %`]
}

function withDatabase(lines: readonly string[][], { samples }: Measured): string[][] {
  const all = [...samples.values()]
  return lines.map((line, index) => [...line, short((all[index] as Sample).databaseCpu)])
}

function overview(samples: Measured['samples'], titles: Map<string, string>, base: Sample): Map<string, number> {
  return new Map([...samples].map(([column, { cpu }]) => [titles.get(column) as string, cpu / base.cpu]))
}

/** The check of a question whose answer is known. */
export function equals(expected: (shop: Shop) => unknown): Throughput['check'] {
  return (answer, shop) => deepEqual(answer, expected(shop))
}
