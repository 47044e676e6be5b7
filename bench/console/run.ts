import { chmodSync, writeFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startChromium, howToInstall } from '../../test/support/chromium.ts'
import { startPostgres } from '../../test/support/postgres-server.ts'
import { ours } from '../columns.ts'
import { describeMachine } from '../machine.ts'
import { medianOf } from '../samples.ts'
import { count, table } from '../report.ts'
import { fillColumn, makeShop, startServer } from '../servers.ts'
import { keepToCore, temporaryFolder } from '../setup.ts'
import { fillShop, size } from './fill.ts'
import { openConsole } from './measure.ts'
import { steps } from './views.ts'

// How long does staff wait for each view in a large shop? `node bench/console/run.ts` prints a table for both engines;
// with --write it goes to results.md beside this file.

const cores = { server: 0, browser: 1 }
const rounds = 3
const limitMs = 1_000

type Times = Map<string, number[]>

async function measureOn(url: string, folder: string, only: string): Promise<Times> {
  const shop = makeShop(folder, size.animals)
  const column = {
    ...ours,
    fill: () => fillShop(url, shop.key),
    command(ground: Parameters<typeof ours.command>[0]) {
      const command = ours.command(ground)
      return { ...command, env: { ...command.env, PETSTORE_DATABASE_URL: url } }
    },
  }
  await fillColumn(column, shop)
  const server = await startServer(column, shop, cores.server)
  const browser = await startChromium('browser')
  if (browser === undefined) throw new Error(howToInstall)
  const origin = `http://127.0.0.1:${server.port}`
  const times: Times = new Map()
  const add = (name: string, ms: number) => times.set(name, [...(times.get(name) ?? []), ms])
  try {
    const staff = await openConsole(browser, origin, shop.key)
    for (let round = 0; round < rounds; round++) {
      add('The console itself, with the stock', await staff.load())
      for (const step of steps) if (step.name.includes(only)) add(step.name, await staff.time(step))
      for (const [name, ms] of await bulkChange(origin, shop.key, round)) add(name, ms)
    }
  } finally {
    await browser.close()
    await server.stop()
  }
  return times
}

/** How long a change of 1,000 animals takes, and how long another write waits that comes meanwhile. */
async function bulkChange(origin: string, key: string, round: number): Promise<[string, number][]> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const post = async (path: string, body: object) => {
    const start = performance.now()
    const response = await fetch(`${origin}/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    if (!response.ok) throw new Error(await response.text())
    await response.arrayBuffer()
    return performance.now() - start
  }
  const filter = { name: 'rex' }
  const bulk = post('/pets/bulk', { filter, change: { categoryId: round % 2 === 0 ? 301 : 302 } })
  const create = post('/pets', { name: 'Tom', categoryId: 1 })
  return [
    ['A change of 1,000 animals that were found (one request)', await bulk],
    ['An animal added meanwhile (one request)', await create],
  ]
}

function lines(engines: Record<string, Times>): string[] {
  const all = Object.values(engines)
  const head = ['what is shown', ...Object.keys(engines).flatMap((name) => [`${name}, ms`, 'slowest']), 'under 1 s']
  const names = [...(all[0]?.keys() ?? [])]
  return table(
    head,
    names.map((name) => {
      const values = all.map((times) => times.get(name) ?? [])
      const isMet = values.every((each) => medianOf(each) < limitMs)
      return [
        name,
        ...values.flatMap((each) => [count(medianOf(each)), count(Math.max(...each))]),
        isMet ? 'yes' : '**no**',
      ]
    }),
  )
}

async function main(flags: readonly string[]): Promise<void> {
  const only = flags.find((flag) => !flag.startsWith('-')) ?? ''
  const folder = temporaryFolder('petstore-console-')
  // PostgreSQL may run as somebody else.
  chmodSync(folder, 0o711)
  const machine = describeMachine(
    folder,
    [],
    `The service on core ${cores.server}; Chromium and PostgreSQL on core ${cores.browser}`,
  )
  keepToCore(cores.browser)
  const onSqlite = await measureOn(`sqlite:${join(folder, 'shop.db')}`, folder, only)
  const postgres = await startPostgres({ durable: true, parent: folder, settings: { autovacuum: 'on' } })
  const onPostgres = await measureOn(postgres.url, folder, only).finally(() => postgres.stop())
  const report = [
    '# How long staff wait for each view of the console',
    '',
    'Made by `node bench/console/run.ts --write`. From the click to the last change of the page, in Chromium: the median',
    `of ${rounds} rounds, and the slowest. The shop has ${count(size.animals)} animals, ${count(size.categories)} categories and ${count(size.orders)} orders.`,
    '',
    ...machine.map((line) => `- ${line}`),
    `- Load average after the run: ${loadavg()[0]?.toFixed(2)}`,
    '',
    ...lines({ SQLite: onSqlite, PostgreSQL: onPostgres }),
    '',
  ].join('\n')
  console.log(report)
  if (flags.includes('--write')) writeFileSync(fileURLToPath(new URL('results.md', import.meta.url)), report)
}

await main(process.argv.slice(2))
process.exit()
