import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { columns, ours } from './columns.ts'
import { pageSize, someIds } from './data.ts'
import type { Column, Dialect } from './dialect.ts'
import type { StreamOutcome } from './load.ts'
import { type Loader, startLoader } from './loader.ts'
import { requestFile, targetOf } from './measure.ts'
import { threadsCpuOf } from './processes.ts'
import { newAnimals } from './questions/create.ts'
import type { Request } from './requests.ts'
import { fillColumn, makeShop, type Server, type Shop, startServer } from './servers.ts'

/** What one request costs a server. */
export interface Cost {
  /** Microseconds, in all its threads. */
  cpu: number
  /** Allocated by the event loop. */
  bytes: number
}

export type Row = keyof typeof rows

/** The requests of each row that is held to its recorded cost. */
export const rows = {
  list: { expected: 200, requests: ({ list }: Dialect): Request[] => [{ method: 'GET', path: list }] },
  any: { expected: 200, requests: ({ after }: Dialect): Request[] => reads(animals - pageSize, after) },
  get: { expected: 200, requests: ({ one }: Dialect): Request[] => reads(animals, (id) => one(id + 1)) },
  create: { expected: 201, requests: (dialect: Dialect) => newAnimals(dialect) ?? [] },
}

function reads(below: number, pathOf: (id: number) => string): Request[] {
  return someIds(below, below).map((id) => ({ method: 'GET', path: pathOf(id) }))
}

const animals = 100_000
const connections = 64
/** Many short slices: one of each server in turn, so that what the machine does meanwhile hits all alike. */
const sliceMs = 250
const warmUpMs = 2_000

export interface InTurnOptions {
  folder: string
  rounds: number
  cores: { server: number; load: number }
  rows: readonly Row[]
  columns?: readonly Column[]
  /** Before all other programs of the machine, which hardly run meanwhile. Needs `canBeUrgent`. */
  isUrgent?: boolean
}

/** The costs of each row, by column: the least of all rounds, because other programs only add to it. */
export async function measureInTurn(options: InTurnOptions): Promise<Map<Row, Map<string, Cost>>> {
  const { folder, rounds, cores } = options
  const shop = makeShop(folder, animals)
  const { isUrgent = false } = options
  const loader = startLoader(cores.load, folder, isUrgent)
  const servers: Server[] = []
  try {
    for (const column of options.columns ?? comparedColumns) {
      await fillColumn(column, shop)
      servers.push(await startServer(probed(column, folder), shop, cores.server, { isUrgent }))
    }
    const costs = new Map<Row, Map<string, Cost>>()
    for (const row of options.rows) costs.set(row, await measureRow({ row, servers, loader, shop, rounds }))
    return costs
  } finally {
    await Promise.all(servers.map((server) => server.stop()))
    await loader.stop()
  }
}

/** Ours, and what its costs are compared with. */
export const comparedColumns: readonly Column[] = [ours, ...columns.filter(({ name }) => name === 'bare-headers')]

interface RowOptions {
  row: Row
  servers: readonly Server[]
  loader: Loader
  shop: Shop
  rounds: number
}

async function measureRow({ row, servers, loader, shop, rounds }: RowOptions): Promise<Map<string, Cost>> {
  const { expected, requests } = rows[row]
  const least = new Map<string, Cost>()
  const jobs = servers.map((server) => {
    const { name, dialect } = server.column
    const file = requestFile(shop, `${row}-${name}`, requests(dialect))
    const streams = [{ requests: file, connections, expected }]
    return { server, job: { ...targetOf(server), streams } }
  })
  for (let round = 0; round <= rounds; round++) {
    for (const { server, job } of jobs) {
      const before = await spentBy(server, shop.folder)
      const { streams } = await loader.run({ ...job, milliseconds: round === 0 ? warmUpMs : sliceMs })
      const after = await spentBy(server, shop.folder)
      const [{ answered, wrong, example = '' }] = streams as [StreamOutcome]
      if (wrong > 0) throw new Error(`${server.column.name}, ${row}: ${wrong} requests went wrong, such as: ${example}`)
      const cost = { cpu: (after.cpu - before.cpu) / answered, bytes: (after.bytes - before.bytes) / answered }
      if (round > 0) least.set(server.column.name, leastOf(least.get(server.column.name), cost))
    }
  }
  return least
}

function leastOf(one: Cost | undefined, other: Cost): Cost {
  if (one === undefined) return other
  return { cpu: Math.min(one.cpu, other.cpu), bytes: Math.min(one.bytes, other.bytes) }
}

async function spentBy({ pid, column }: Server, folder: string): Promise<Cost> {
  return { bytes: await allocatedBy(pid, probeFile(column, folder)), cpu: threadsCpuOf(pid) }
}

/** Bytes that the event loop has allocated since it started. */
async function allocatedBy(pid: number, file: string): Promise<number> {
  const linesOf = () => (existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : [])
  const { length } = linesOf()
  process.kill(pid, 'SIGWINCH')
  for (;;) {
    const line = linesOf()[length]
    if (line !== undefined) return Number(line)
    await sleep(2)
  }
}

function probeFile({ name }: Column, folder: string): string {
  return join(folder, `${name}.heap`)
}

function probed(column: Column, folder: string): Column {
  const preload = ['--import', fileURLToPath(new URL('heap-probe.ts', import.meta.url))]
  return {
    ...column,
    command(ground) {
      const command = column.command(ground)
      const env = { ...command.env, HEAP_PROBE: probeFile(column, folder) }
      return { ...command, args: [...preload, ...command.args], env }
    },
  }
}
