import { type TestContext, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { sqlite } from '../support/engines.ts'
import { startPostgres } from '../support/postgres-server.ts'
import { until } from '../support/until.ts'
import { killableReceiver } from './killable-receiver.ts'
import { repeatsIn } from './repeats.ts'
import { startInstance } from './shop.ts'

/** Of both engines together. */
const cycles = Number(process.env['PETSTORE_WEBHOOK_CYCLES'] ?? 100)
/** A lease has to end, and a failed event waits for its next try. */
const patienceMs = 180_000

test('sqlite: through kill -9 of service and receiver every event arrives, in order and signed', async (t) => {
  const strikes = await prepare(t, await sqlite.url(t))

  await strikes.run(Math.ceil(cycles / 2), ['service', 'receiver'])
})

test('postgres: through kill -9 of service, receiver and database every event arrives, in order and signed', async (t) => {
  const database = await startPostgres()
  t.after(() => database.stop())
  const strikes = await prepare(t, database.url)

  await strikes.run(Math.floor(cycles / 2), ['service', 'receiver', 'database'], async () => {
    await database.kill('SIGKILL')
    await database.start()
  })
})

type Victim = 'service' | 'receiver' | 'database'

async function prepare(t: TestContext, databaseUrl: string) {
  const receiver = await killableReceiver(t)
  const shop = await startInstance(t, databaseUrl)
  const { secret } = await shop.ask<{ secret: string }>('POST', '/webhooks', { url: receiver.url })
  await receiver.start(secret)
  const creates = shop.startCreates()
  const latest = () => Math.max(0, ...receiver.ids())
  await until(() => latest() > 0, patienceMs)

  async function strike(victim: Victim, restartDatabase?: () => Promise<void>): Promise<void> {
    if (victim === 'database') return restartDatabase?.()
    const struck = victim === 'service' ? shop : receiver
    await struck.kill()
    await struck.start(secret)
  }

  return {
    async run(count: number, victims: readonly Victim[], restartDatabase?: () => Promise<void>): Promise<void> {
      for (let cycle = 0; cycle < count; cycle++) {
        await wait(Math.random() * 500)
        await strike(victims[cycle % victims.length] as Victim, restartDatabase)
        // Some event that happened after the strike.
        const after = await shop.latest()
        await until(() => latest() > after, patienceMs)
      }
      await creates.stop()
      const last = await shop.latest()
      await until(() => latest() === last, patienceMs)

      const repeats = repeatsIn(receiver.ids())
      console.log(`${count} kills, ${last} events, ${repeats.length} of them repeated.`)
    },
  }
}
