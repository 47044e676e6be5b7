import { DatabaseSync } from 'node:sqlite'
import { join } from 'node:path'
import { test } from 'node:test'
import { apiKey } from '../ledger/client.ts'
import { openUnread } from '../support/event-stream.ts'
import { databaseIn } from '../support/service.ts'
import { temporaryFolder } from '../support/engines.ts'
import { withstands } from './prove.ts'
import { type FaultyShop, openShop } from './shop.ts'

export function sqliteFaults(rounds: number): void {
  test('SQLite: kill -9 of the process', async (t) => {
    const shop = await openShop(t, { env: { PETSTORE_DATABASE_URL: databaseIn(temporaryFolder(t)) } })
    await withstands(t, shop, rounds, () => restart(shop))
  })

  test('SQLite: kill -9 of single workers, and of the first process', async (t) => {
    const env = { PETSTORE_DATABASE_URL: databaseIn(temporaryFolder(t)) }
    const shop = await openShop(t, { env, args: ['--workers', '2'] })
    await withstands(t, shop, rounds, async (round) => {
      const [worker] = shop.workers()
      if (round % 2 === 0 && worker !== undefined) process.kill(worker, 'SIGKILL')
      else await restart(shop)
    })
  })

  test('SQLite: a lock that another process holds for longer than the service waits', async (t) => {
    const folder = temporaryFolder(t)
    const shop = await openShop(t, { env: { PETSTORE_DATABASE_URL: databaseIn(folder) } })
    const other = new DatabaseSync(join(folder, 'petstore.db'), { timeout: 5_000 })
    t.after(() => other.close())
    await withstands(t, shop, rounds, async () => {
      other.exec('BEGIN IMMEDIATE')
      await shop.isReady(false)
      other.exec('ROLLBACK')
    })
  })

  test('SQLite: 200 clients that do not read', async (t) => {
    const shop = await openShop(t, { env: { PETSTORE_DATABASE_URL: databaseIn(temporaryFolder(t)) } })
    await withstands(t, shop, rounds, async () => {
      for (let opened = 0; opened < 200; opened++) {
        const path = opened % 2 === 0 ? '/v1/events?after=0' : '/v1/pets?limit=100'
        await openUnread(t, { origin: shop.origin, key: apiKey, path })
      }
    })
  })
}

async function restart(shop: FaultyShop): Promise<void> {
  await shop.kill()
  await shop.start()
}
