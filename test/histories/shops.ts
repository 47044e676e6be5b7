import type { TestContext } from 'node:test'
import { makeDisk } from '../faults/disk.ts'
import { openShop } from '../faults/shop.ts'
import { apiKey } from '../ledger/client.ts'
import { temporaryFolder } from '../support/engines.ts'
import { faultyProxy, type FaultyProxy } from '../support/faulty-proxy.ts'
import { startProxy } from '../support/proxy.ts'
import { mountDisk } from '../support/small-disk.ts'
import { startPair } from '../support/postgres-pair.ts'
import { type PostgresServer, startPostgres } from '../support/postgres-server.ts'
import { databaseIn } from '../support/service.ts'
import type { Run } from './run.ts'
import {
  disturbConnections,
  failDisk,
  fillDisk,
  kill,
  killAll,
  killSession,
  killWorker,
  loseAnswers,
  losePower,
  loseServer,
  pause,
  pauseReplay,
  pauseServer,
  restartServer,
  type Strike,
  terminateSessions,
} from './strikes.ts'

/** A shop to judge: whom clients ask, and what may strike it. */
export type Shop = Pick<Run, 'senders' | 'strike' | 'lagMs'>

export async function sqliteShop(t: TestContext, args: string[] = []): Promise<Shop> {
  const shop = await openShop(t, { env: { PETSTORE_DATABASE_URL: databaseIn(temporaryFolder(t)), ...webhooks }, args })
  const proxy = await faultyProxy(t, shop.origin)
  const strikes = [loseAnswers(proxy), kill(shop), pause(shop)]
  if (args.includes('--workers')) strikes.push(killWorker(shop))
  return { senders: sendersOf([proxy]), strike: oneOf(strikes) }
}

/** On a disk that is full at times, fails, and loses its power. Undefined where there is no such disk. */
export async function badDiskShop(t: TestContext): Promise<Shop | undefined> {
  const disk = makeDisk(t)
  if (disk === undefined) return undefined
  const shop = await openShop(t, { env: { PETSTORE_DATABASE_URL: databaseIn(disk.folder), ...disk.env, ...webhooks } })
  const proxy = await faultyProxy(t, shop.origin)
  return {
    senders: sendersOf([proxy]),
    strike: oneOf([loseAnswers(proxy), failDisk(disk, shop), losePower(disk, shop)]),
  }
}

/** Two services on one PostgreSQL, whose disk is full at times where there is such a disk. */
export async function postgresShop(t: TestContext): Promise<Shop> {
  const disk = mountDisk(t, 256)
  if (disk === undefined)
    t.diagnostic('NOT TESTED: a full disk of PostgreSQL needs root on Linux, to mount a small one.')
  const server = await startPostgres({
    durable: true,
    ...(disk && { parent: disk, settings: { max_wal_size: '64MB' } }),
  })
  t.after(() => server.stop())
  const proxy = await startProxy(t, server.port)
  const url = `postgres://postgres@127.0.0.1:${proxy.port}/postgres`
  const { senders, strikes } = await twoServices(t, { PETSTORE_DATABASE_URL: url })
  const others = disk === undefined ? [] : [fillDisk(disk, server)]
  return { senders, strike: oneOf([...strikes, ...strikesOn(server), disturbConnections(proxy), ...others]) }
}

/** The primary is lost while clients write, and its synchronous standby takes its place. */
export async function promotedShop(t: TestContext): Promise<Shop> {
  const { primary, standby, promote } = await startPair(t, { synchronous: true })
  const hosts = [primary, standby].map(({ port }) => `127.0.0.1:${port}`).join(',')
  const url = `postgres://postgres@${hosts}/postgres?target_session_attrs=read-write`
  const { senders, strikes } = await twoServices(t, { PETSTORE_DATABASE_URL: url })
  const before = oneOf([...strikes, ...strikesOn(primary), pauseServer(standby)])
  const after = oneOf([...strikes, ...strikesOn(standby)])
  let count = 0
  return {
    senders,
    async strike(random) {
      count++
      if (count !== promotion) return count < promotion ? before(random) : after(random)
      await loseServer(primary, promote)(random)
    },
  }
}

/** Two services that read from a replica, which is late at times. */
export async function replicaShop(t: TestContext): Promise<Shop> {
  const pair = await startPair(t)
  const { primary, standby } = pair
  const env = { PETSTORE_DATABASE_URL: primary.url, PETSTORE_READ_DATABASE_URL: standby.url }
  const { senders, strikes } = await twoServices(t, env)
  const others = [...strikesOn(primary), ...strikesOn(standby), pauseReplay(pair), pauseReplay(pair)]
  return { senders, strike: oneOf([...strikes, ...others]), lagMs: 10_000 }
}

/** Which strike. */
const promotion = 2

/** The receiver of their deliveries is on this machine. */
const webhooks = { PETSTORE_WEBHOOKS_ALLOW_PRIVATE: 'true' }

async function twoServices(t: TestContext, env: { PETSTORE_DATABASE_URL: string } & Record<string, string>) {
  const shops = [
    await openShop(t, { env: { ...env, ...webhooks } }),
    await openShop(t, { env: { ...env, ...webhooks } }),
  ]
  const proxies = await Promise.all(shops.map(({ origin }) => faultyProxy(t, origin)))
  return {
    senders: sendersOf(proxies),
    strikes: [...proxies.map(loseAnswers), ...shops.map(kill), ...shops.map(pause), killAll(shops)],
  }
}

function strikesOn(server: PostgresServer): Strike[] {
  return [terminateSessions(server), restartServer(server), killSession(server), pauseServer(server)]
}

function oneOf(strikes: readonly Strike[]): Strike {
  return (random) => random.of(strikes)(random)
}

function sendersOf(proxies: readonly FaultyProxy[]): Run['senders'] {
  return proxies.map(({ origin }) => ({ base: `${origin}/v1`, key: apiKey }))
}
