import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ours, oursDialect } from './columns.ts'
import type { Column } from './dialect.ts'
import { animal, pageSize, someIds } from './data.ts'
import { startLoader } from './loader.ts'
import { requestFile, targetOf } from './measure.ts'
import { cpuOf } from './processes.ts'
import { newAnimals } from './questions/create.ts'
import { count, short, table } from './report.ts'
import type { Request } from './requests.ts'
import { fillColumn, makeShop, type Shop, startServer } from './servers.ts'
import { keepToCore, temporaryFolder } from './setup.ts'
import { postgresSuite } from './suites/postgres.ts'

// Where does the time go? `bin/node bench/profile.ts list` (`list --postgres`) runs ours under load with V8's profiler and sums up self time.
// Self time is what the clock says while a thread is not idle: where threads share a core it holds the turns of the others.

const cores = { server: 0, load: 1 }
const seconds = 5
const functionsShown = 25

const kinds: Record<string, (shop: Shop) => Request[]> = {
  list: () => [{ method: 'GET', path: oursDialect.list }],
  any: ({ animals }) =>
    someIds(50_000, animals - pageSize).map((id) => ({ method: 'GET', path: oursDialect.after(id) })),
  get: ({ animals }) => someIds(50_000, animals).map((id) => ({ method: 'GET', path: oursDialect.one(id + 1) })),
  search: ({ animals }) =>
    someIds(50_000, animals - pageSize).map((id) => ({
      method: 'GET',
      path: oursDialect.search?.(animal(id + 1).name, id) ?? '',
    })),
  create: () => newAnimals(oursDialect) ?? [],
}

interface Profile {
  nodes: {
    id: number
    callFrame: { functionName: string; url: string; lineNumber: number }
  }[]
  samples: number[]
  timeDeltas: number[]
  startTime: number
}

async function main(kind: string, onPostgres: boolean): Promise<void> {
  const requestsOf = kinds[kind]
  if (requestsOf === undefined)
    throw new Error(`bin/node bench/profile.ts ${Object.keys(kinds).join('|')} [--postgres]`)
  const folder = temporaryFolder('petstore-profile-')
  keepToCore(cores.load)

  const profiles = join(folder, 'profiles')
  mkdirSync(profiles)
  const shop = makeShop(folder, 100_000)
  const suite = onPostgres ? postgresSuite() : undefined
  await suite?.start?.(folder)
  const column = suite?.columns.find(({ name }) => name === ours.name) ?? ours
  await fillColumn(column, shop)
  const server = await startServer(profiled(column, profiles), shop, cores.server)
  const loader = startLoader(cores.load, folder)
  const requests = requestFile(shop, kind, requestsOf(shop))
  const streams = [{ requests, connections: 64, expected: kind === 'create' ? 201 : 200 }]
  const job = { ...targetOf(server), streams }
  await loader.run({ ...job, milliseconds: 2_000 })

  // The profiler's clock is the kernel's monotonic one, in microseconds, the same in every process.
  const from = microseconds()
  const cpuBefore = cpuOf(server.pid)
  const outcome = await loader.run({ ...job, milliseconds: seconds * 1_000 })
  const cpu = cpuOf(server.pid) - cpuBefore
  const until = microseconds()
  await server.stop()
  await loader.stop()
  await suite?.stop?.()

  const answered = outcome.streams[0]?.answered ?? 0
  console.log(
    `${kind}: ${count(answered / seconds)} requests/s, ${short(cpu / answered)} µs CPU each, profiler included\n`,
  )
  for (const file of readdirSync(profiles).toSorted()) {
    const profile = JSON.parse(readFileSync(join(profiles, file), 'utf8')) as Profile
    console.log(summary(profile, from, until, answered).join('\n'))
  }
}

function profiled(column: Column, profiles: string): Column {
  return {
    ...column,
    command(ground) {
      const command = column.command(ground)
      const flags = ['--cpu-prof', `--cpu-prof-dir=${profiles}`, '--cpu-prof-interval=200']
      return { ...command, args: [...flags, ...command.args] }
    },
  }
}

function microseconds(): number {
  return Number(process.hrtime.bigint() / 1_000n)
}

/** One thread: its functions by the time spent in themselves, idling left out. */
function summary(profile: Profile, from: number, until: number, answered: number): string[] {
  const names = new Map(profile.nodes.map(({ id, callFrame }) => [id, nameOf(callFrame)]))
  const spent = new Map<string, number>()
  let now = profile.startTime
  let total = 0
  for (const [index, id] of profile.samples.entries()) {
    const delta = profile.timeDeltas[index] ?? 0
    now += delta
    const name = names.get(id) ?? '?'
    if (now < from || now > until || name === '(idle)') continue
    spent.set(name, (spent.get(name) ?? 0) + delta)
    total += delta
  }
  const top = [...spent].toSorted(([, a], [, b]) => b - a).slice(0, functionsShown)
  const lines = top.map(([name, time]) => [name, short(time / answered), `${((100 * time) / total).toFixed(1)} %`])
  const thread = profile.nodes.some(({ callFrame }) => callFrame.url.endsWith('/writer-thread.ts')) ? 'writer' : 'main'
  const head = [`self time, ${thread} thread (${short(total / answered)} µs per request)`, 'µs per request', 'share']
  return [...table(head, lines), '']
}

function nameOf({ functionName, url, lineNumber }: Profile['nodes'][number]['callFrame']): string {
  const name = functionName === '' ? '(anonymous)' : functionName
  if (url === '') return name
  const file = url.replace(/^.*\/node_modules\//, '').replace(/^file:.*\/(?=src\/)/, '')
  return `${name} ${file}:${lineNumber + 1}`
}

try {
  await main(process.argv[2] ?? '', process.argv[3] === '--postgres')
  process.exit()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
