import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Stream } from './load.ts'
import type { Loader } from './loader.ts'
import type { Options } from './options.ts'
import { cpuOf } from './processes.ts'
import { encodeRequest, type Request } from './requests.ts'
import type { Server, Shop } from './servers.ts'

/** What the questions work with. */
export interface Bench {
  options: Options
  loader: Loader
  shop: Shop
  servers: readonly Server[]
  /** Told what is being done, for whoever watches. */
  say(text: string): void
}

/** One measurement of one server. Times in milliseconds, CPU in microseconds. */
export interface Sample {
  perSecond: number
  p50: number
  p99: number
  /** CPU of the server for one request of any stream, in all its threads and processes. */
  cpu: number
  loadShare: number
  /** Answers of all streams. */
  answered: number
}

/** One server under one kind of load. Several streams run at once; times and rate are those of the first. */
export interface Subject {
  name: string
  server: Server
  streams: Stream[]
}

/** All samples of each subject, in the order of the subjects. A B C A B C: what drifts, drifts for all. */
export async function alternate(bench: Bench, subjects: readonly Subject[]): Promise<Sample[][]> {
  const { rounds, slice, warmUp } = bench.options
  for (const subject of subjects) await measure(bench.loader, subject, warmUp)
  const samples = subjects.map((): Sample[] => [])
  for (let round = 0; round < rounds; round++) {
    for (const [index, subject] of subjects.entries()) {
      bench.say(`  round ${round + 1} of ${rounds}: ${subject.name}`)
      samples[index]?.push(await measure(bench.loader, subject, slice))
    }
  }
  return samples
}

async function measure(loader: Loader, { name, server, streams }: Subject, milliseconds: number): Promise<Sample> {
  const before = cpuOf(server.pid)
  const outcome = await loader.run({ port: server.port, milliseconds, streams })
  const cpu = cpuOf(server.pid) - before
  const bad = outcome.streams.find(({ wrong }) => wrong > 0)
  // A number for wrong answers is worse than none.
  if (bad !== undefined) throw new Error(`${name}: ${bad.wrong} requests went wrong, one with: ${bad.example}`)
  const answered = outcome.streams.reduce((sum, stream) => sum + stream.answered, 0)
  const [{ perSecond, p50, p99 }] = outcome.streams as [(typeof outcome.streams)[0]]
  return { perSecond, p50, p99, cpu: cpu / answered, loadShare: outcome.loadShare, answered }
}

/** The sample in the middle, number by number. */
export function median(samples: readonly Sample[]): Sample {
  const middle = (field: keyof Sample) => medianOf(samples.map((sample) => sample[field]))
  return {
    perSecond: middle('perSecond'),
    p50: middle('p50'),
    p99: middle('p99'),
    cpu: middle('cpu'),
    loadShare: middle('loadShare'),
    answered: middle('answered'),
  }
}

export function medianOf(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  const half = sorted.length >> 1
  return sorted.length % 2 === 1 ? (sorted[half] as number) : ((sorted[half - 1] as number) + (sorted[half] as number)) / 2
}

/** Writes requests for the load, encoded, into a file of this name. */
export function requestFile({ folder, key }: Shop, name: string, requests: readonly Request[]): string {
  const path = join(folder, `${name}.requests.json`)
  writeFileSync(path, JSON.stringify(requests.map((request) => encodeRequest(request, key))))
  return path
}
