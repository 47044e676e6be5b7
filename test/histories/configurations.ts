import { test } from 'node:test'
import { assertOneStory } from './run.ts'
import { badDiskShop, postgresShop, promotedShop, replicaShop, sqliteShop } from './shops.ts'

/**
 * Concurrent clients write down what they asked and were told, while parts of the shop are killed, paused and cut off.
 * Then all answers must fit one story (check.ts).
 */
export function historyTests({ seconds, seed = Date.now() % 1_000_000 }: { seconds: number; seed?: number }): void {
  const forMs = seconds * 1_000

  test('SQLite: every answer fits one story', async (t) => {
    await assertOneStory(t, { ...(await sqliteShop(t)), seed, forMs })
  })

  test('SQLite with two workers: every answer fits one story', async (t) => {
    await assertOneStory(t, { ...(await sqliteShop(t, ['--workers', '2'])), seed, forMs })
  })

  test('SQLite on a disk that is full at times, fails and loses power: every answer fits one story', async (t) => {
    const shop = await badDiskShop(t)
    if (shop !== undefined) await assertOneStory(t, { ...shop, seed, forMs })
  })

  test('two services on PostgreSQL: every answer fits one story', async (t) => {
    await assertOneStory(t, { ...(await postgresShop(t)), seed, forMs })
  })

  test('PostgreSQL whose synchronous standby is promoted: every answer fits one story', async (t) => {
    await assertOneStory(t, { ...(await promotedShop(t)), seed, forMs })
  })

  test('PostgreSQL with a read replica: every answer fits one story, as late as is promised', async (t) => {
    await assertOneStory(t, { ...(await replicaShop(t)), seed, forMs })
  })
}
