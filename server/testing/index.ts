// The entry `@petstore/server/testing`: a pet store for a test suite, in a process of its own. For Node 20 and later.

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

const shared = new Map<string, { process: Promise<SandboxProcess>; users: number }>()

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

function startOwn(seed: AnySeed, timeoutMs: number): Promise<SandboxProcess> {
  if (typeof seed === 'string') return startSandboxProcess(seed, timeoutMs)
  return startSandboxProcess('file' in seed ? seed.file : new TextEncoder().encode(linesOf(seed)), timeoutMs)
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
  const entry = shared.get(name) ?? { process: startOwn(seed, timeoutMs), users: 0 }
  shared.set(name, entry)
  entry.users++
  async function leave(): Promise<void> {
    entry.users--
    if (entry.users > 0) return
    shared.delete(name)
    await (await entry.process).stop()
  }
  try {
    return { url: (await entry.process).url, stop: leave }
  } catch (error) {
    shared.delete(name)
    throw error
  }
}
