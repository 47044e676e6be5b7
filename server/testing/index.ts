// The entry `@petstore/server/testing`: a pet store for a test suite, in a process of its own. For Node 20 and later.

import { resolve } from 'node:path'
import {
  type AppliedFault,
  type BugName,
  type ClockChange,
  type FaultRule,
  type JournalEntry,
  type ListRequestsQuery,
  type Sandbox,
  SandboxPetStore,
  type Seed,
  type SeedRecord,
  type ShopClock,
} from '../../client/src/sandbox.ts'
import { type SandboxProcess, startSandboxProcess } from './sandbox-process.ts'

export type {
  AppliedFault,
  BugName,
  ClockChange,
  FaultRule,
  JournalEntry,
  ListRequestsQuery,
  Sandbox,
  SandboxPetStore,
  Seed,
  SeedRecord,
  ShopClock,
}

export interface StartOptions {
  /** What the shop begins with, also after `reset()`: a name, records with their ids, or `{ file }`. Default `demo`. */
  seed?: Seed | { readonly file: string } | undefined
  /**
   * The name of a shop in a process that all calls with a `shop` and the same seed share. Without it, the call has a
   * process of its own.
   */
  shop?: string | undefined
  /** How long the start may take. Default 30,000. */
  timeoutMs?: number | undefined
}

export interface RunningPetStore {
  /** The base address, which ends in `/v1`. */
  readonly url: string
  /** The API key of the shop. */
  readonly key: string
  /** A client of this shop. */
  readonly client: SandboxPetStore
  /** Makes the shop new, with the seed of the start or another one. */
  reset: Sandbox['reset']
  /** Replaces the faults of the shop, or lists them. */
  faults: Sandbox['faults']
  /** Sets the clock of the shop, or reads it. */
  clock: Sandbox['clock']
  /** What was sent to the shop. */
  journal: Sandbox['journal']
  /** Ends the process, or leaves a shared one, which ends with its last shop. May be called twice. */
  stop(): Promise<void>
}

interface Shared {
  process: Promise<SandboxProcess>
  users: number
}

const shared = new Map<string, Shared>()

/**
 * Starts a pet store in a process of its own, which ends with this process, however that ends. Rejects with what it
 * printed if it does not start.
 */
export async function startPetStore({
  seed = 'demo',
  shop,
  timeoutMs = 30_000,
}: StartOptions = {}): Promise<RunningPetStore> {
  if (shop !== undefined && !/^[\w-]{1,64}$/.test(shop)) {
    throw new TypeError(`shop must be 1 to 64 letters, digits, - and _, got ${JSON.stringify(shop)}`)
  }
  if (!(timeoutMs > 0 && timeoutMs < 2 ** 31)) {
    throw new TypeError(`timeoutMs must be a number above 0 and below 2^31, got ${timeoutMs}`)
  }
  if (!isSeed(seed)) throw new TypeError('seed must be "empty", "demo", an array of records, or { file }')
  const process = shop === undefined ? await startOwn(seed, timeoutMs) : await joinShared(seed, timeoutMs)
  const { url } = process
  const key = `sandbox_${shop ?? 'default'}`
  const client = new SandboxPetStore({ baseUrl: url, apiKey: key })
  const { sandbox } = client
  let stopping: Promise<void> | undefined
  return {
    url,
    key,
    client,
    reset: (...args) => sandbox.reset(...args),
    faults: (...args) => sandbox.faults(...args),
    clock: (...args) => sandbox.clock(...args),
    journal: (...args) => sandbox.journal(...args),
    stop: () => (stopping ??= process.stop()),
  }
}

type AnySeed = NonNullable<StartOptions['seed']>

function isSeed(seed: unknown): boolean {
  return (
    typeof seed === 'string' || Array.isArray(seed) || typeof (seed as { file?: unknown } | null)?.file === 'string'
  )
}

function startOwn(seed: AnySeed, timeoutMs: number): Promise<SandboxProcess> {
  if (typeof seed === 'string') return startSandboxProcess(seed, timeoutMs)
  // A whole path is never the name of a seed.
  return startSandboxProcess('file' in seed ? resolve(seed.file) : new TextEncoder().encode(linesOf(seed)), timeoutMs)
}

/** Records are flat. A bigint has its digits, which JSON.stringify refuses, and `JSON.rawJSON` is not in Node 20. */
function linesOf(records: readonly SeedRecord[]): string {
  const encode = (value: unknown) => (typeof value === 'bigint' ? String(value) : JSON.stringify(value))
  const line = (record: SeedRecord) => {
    const members = Object.entries(record).filter(([, value]) => value !== undefined)
    return `{${members.map(([name, value]) => `${JSON.stringify(name)}:${encode(value)}`).join()}}\n`
  }
  return records.map(line).join('')
}

async function joinShared(seed: AnySeed, timeoutMs: number): Promise<SandboxProcess> {
  const name = typeof seed === 'string' ? seed : 'file' in seed ? `file ${seed.file}` : linesOf(seed)
  const entry = shared.get(name) ?? share(name, startOwn(seed, timeoutMs))
  entry.users++
  async function leave(): Promise<void> {
    entry.users--
    if (entry.users > 0) return
    forget(name, entry)
    await (await entry.process).stop()
  }
  const { url, ended } = await entry.process
  return { url, ended, stop: leave }
}

/** Nobody joins a process that did not start, or that has ended. */
function share(name: string, process: Promise<SandboxProcess>): Shared {
  const entry = { process, users: 0 }
  shared.set(name, entry)
  const end = () => forget(name, entry)
  process.then(({ ended }) => ended.then(end), end)
  return entry
}

function forget(name: string, entry: Shared): void {
  if (shared.get(name) === entry) shared.delete(name)
}
