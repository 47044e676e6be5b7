import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { type PostgresServer, startPostgres } from '../support/postgres-server.ts'
import { withstands } from './prove.ts'
import { childrenOf, openShop } from './shop.ts'

/** Longer than any deadline of the service. */
const pauseMs = 12_000

export function postgresFaults(rounds: number): void {
  test('PostgreSQL: kill -9 of the service', async (t) => {
    const server = await startDurable(t)
    const shop = await openShop(t, { env: { PETSTORE_DATABASE_URL: server.url } })
    await withstands(t, shop, rounds, async () => {
      await shop.kill()
      await shop.start()
    })
  })

  test('PostgreSQL: kill -9 of the server', async (t) => {
    const server = await startDurable(t)
    const shop = await openShop(t, { env: { PETSTORE_DATABASE_URL: server.url } })
    await withstands(t, shop, rounds, async () => {
      await server.kill('SIGKILL')
      await server.start()
    })
  })

  test('PostgreSQL: a server that hangs for longer than the service waits', async (t) => {
    const server = await startDurable(t)
    const shop = await openShop(t, { env: { PETSTORE_DATABASE_URL: server.url } })
    await withstands(t, shop, rounds, async () => {
      const main = server.child.pid as number
      const processes = [main, ...childrenOf(main)]
      for (const pid of processes) process.kill(pid, 'SIGSTOP')
      await wait(pauseMs)
      for (const pid of processes) process.kill(pid, 'SIGCONT')
    })
  })
}

async function startDurable(t: { after(end: () => Promise<void>): void }): Promise<PostgresServer> {
  const server = await startPostgres({ durable: true })
  t.after(() => server.stop())
  return server
}
