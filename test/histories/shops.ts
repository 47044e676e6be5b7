import type { TestContext } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { Client } from 'pg'
import { type FaultyShop, openShop } from '../faults/shop.ts'
import { apiKey } from '../ledger/client.ts'
import { temporaryFolder } from '../support/engines.ts'
import { type Fault, faultyProxy, type FaultyProxy } from '../support/faulty-proxy.ts'
import { type PostgresServer, startPostgres } from '../support/postgres-server.ts'
import { databaseIn } from '../support/service.ts'
import type { Random } from './random.ts'
import type { Run } from './run.ts'

/** A shop to judge: whom clients ask, and what may strike it. */
export type Shop = Pick<Run, 'senders' | 'strike'>

type Strike = (random: Random) => Promise<void>

const lost: Fault[] = ['reset', 'swallow', 'halve', { status: 502, body: '<html>' }]

export async function sqliteShop(t: TestContext, args: string[] = []): Promise<Shop> {
  const shop = await openShop(t, { env: { PETSTORE_DATABASE_URL: databaseIn(temporaryFolder(t)) }, args })
  const proxy = await faultyProxy(t, shop.origin)
  const strikes = [loseAnswers(proxy), kill(shop), pause(shop)]
  if (args.includes('--workers')) strikes.push(killWorker(shop))
  return { senders: sendersOf([proxy]), strike: (random) => random.of(strikes)(random) }
}

/** Two services on one PostgreSQL. */
export async function postgresShop(t: TestContext): Promise<Shop> {
  const server = await startPostgres({ durable: true })
  t.after(() => server.stop())
  const shops = [
    await openShop(t, { env: { PETSTORE_DATABASE_URL: server.url } }),
    await openShop(t, { env: { PETSTORE_DATABASE_URL: server.url } }),
  ]
  const proxies = await Promise.all(shops.map(({ origin }) => faultyProxy(t, origin)))
  const strikes = [
    ...proxies.map(loseAnswers),
    ...shops.map(kill),
    ...shops.map(pause),
    terminateSessions(server),
    restartServer(server),
  ]
  return { senders: sendersOf(proxies), strike: (random) => random.of(strikes)(random) }
}

function sendersOf(proxies: readonly FaultyProxy[]): Run['senders'] {
  return proxies.map(({ origin }) => ({ base: `${origin}/v1`, key: apiKey }))
}

/** Some of the next requests, or their answers, are lost on their way. */
function loseAnswers(proxy: FaultyProxy): Strike {
  return async (random) => {
    proxy.next(...Array.from({ length: 10 }, () => (random.chance(0.5) ? random.of(lost) : 'pass')))
    if (random.chance(0.3)) proxy.cut()
  }
}

function kill(shop: FaultyShop): Strike {
  return async () => {
    await shop.kill()
    await shop.start()
  }
}

function killWorker(shop: FaultyShop): Strike {
  return async (random) => {
    const worker = random.of(shop.workers())
    if (worker !== undefined) process.kill(worker, 'SIGKILL')
  }
}

/** A process that gets no time. Others go on, and may see it come back with what it knew before. */
function pause(shop: FaultyShop): Strike {
  return async (random) => {
    const pid = random.of([shop.pid, ...shop.workers()])
    process.kill(pid, 'SIGSTOP')
    await wait(100 + random.number(900))
    process.kill(pid, 'SIGCONT')
  }
}

function terminateSessions(server: PostgresServer): Strike {
  return async () => {
    const client = new Client({ connectionString: server.url })
    client.on('error', () => undefined)
    await client.connect()
    await client.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()')
    await client.end()
  }
}

function restartServer(server: PostgresServer): Strike {
  return async () => {
    await server.kill('SIGQUIT')
    await server.start()
  }
}
