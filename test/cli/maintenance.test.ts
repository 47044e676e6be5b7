import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { setImmediate as nextLoopTick } from 'node:timers/promises'
import { type Log } from '../../src/cli/serving/log/log.ts'
import { observer } from '../../src/cli/serving/log/observer.ts'
import { openMetrics } from '../../src/cli/serving/metrics/collector.ts'
import { unavailable } from '../../src/inventory/errors.ts'
import { startMaintenance } from '../../src/cli/serving/maintenance.ts'
import type { ApiKey } from '../../src/inventory/keys.ts'
import type { Storage } from '../../src/inventory/storage.ts'
import { sqliteInMemory } from '../support/engines.ts'

const noon = Date.parse('2027-01-01T12:00:00Z')
const day = 86_400_000
const key: ApiKey = { id: 'key_till', name: 'till', permission: 'read', createdAt: 0 }

interface Replaced {
  keys?: Partial<Storage['keys']>
  events?: Partial<Storage['events']>
}

async function start(t: TestContext, { keys, events }: Replaced = {}) {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const time = { now: noon }
  const failures: Error[] = []
  const deletedAnswers: number[] = []
  const storage = await sqliteInMemory.open(t, () => time.now)
  await storage.keys.create({ ...key, hash: 'hash' })
  const maintenance = startMaintenance({
    storage: {
      ...storage,
      events: { ...storage.events, ...events },
      keys: { ...storage.keys, ...keys },
      async deleteExpiredResponses() {
        const deleted = await storage.deleteExpiredResponses()
        deletedAnswers.push(deleted)
        return deleted
      },
    },
    clock: () => time.now,
    eventRetentionMs: day,
    report: (error) => failures.push(error),
  })
  const lastUsed = async () => (await storage.keys.list())[0]?.lastUsedAt
  return { time, failures, deletedAnswers, storage, maintenance, lastUsed }
}

test('the time of the last use of a key is written down every ten seconds', async (t) => {
  const { maintenance, lastUsed } = await start(t)

  maintenance.keyUsed(key, noon)
  maintenance.keyUsed(key, noon + 1)
  t.mock.timers.tick(9_999)
  const before = await lastUsed()
  t.mock.timers.tick(1)
  while ((await lastUsed()) === undefined) await nextLoopTick()

  assert.equal(before, undefined)
  assert.equal(await lastUsed(), noon + 1)
})

test('a service that stops writes down the uses that it noted, and does no chore after that', async (t) => {
  const { maintenance, lastUsed } = await start(t)
  maintenance.keyUsed(key, noon)

  await maintenance.stop()
  maintenance.keyUsed(key, noon + 1)
  t.mock.timers.tick(120_000)
  await nextLoopTick()

  assert.equal(await lastUsed(), noon)
})

test('a chore that fails is reported, and the next one runs', async (t) => {
  const written: ReadonlyMap<string, number>[] = []
  const broken = new Error('The disk is full.')
  const keys: Replaced['keys'] = {
    async touch(uses) {
      if (written.push(uses) === 1) throw broken
    },
  }
  const { maintenance, failures } = await start(t, { keys })

  for (const at of [1, 2]) {
    maintenance.keyUsed(key, at)
    t.mock.timers.tick(10_000)
    await nextLoopTick()
  }

  assert.deepEqual(failures, [broken])
  assert.deepEqual(written, [new Map([[key.id, 1]]), new Map([[key.id, 2]])])
})

test('maintenance that an outage puts off is one line with the reason, without a stack', () => {
  const lines: unknown[] = []
  const log = { warn: (...line: unknown[]) => lines.push(line), error: (...line: unknown[]) => lines.push(line) }
  const { maintenanceFailed } = observer(log as unknown as Log, openMetrics())
  const bug = new Error('a bug')

  maintenanceFailed(unavailable('Nothing can be written right now; try again.', new Error('The disk is full.')))
  maintenanceFailed(bug)

  assert.deepEqual(lines, [
    [{ reason: 'Nothing can be written right now; try again: The disk is full.' }, 'maintenance is put off'],
    [{ error: bug }, 'failed'],
  ])
})

test('events older than the retention time are forgotten every minute, however many there are', async (t) => {
  const { time, storage } = await start(t)
  const oldest = async () => (await storage.events.list(1)).items[0]?.id
  await storage.imports.add(Array.from({ length: 12_000 }, (_, id) => ({ name: `animal ${id}`, categoryId: 1n })))
  time.now += 1
  await storage.pets.create({ name: 'Rex', categoryId: 1n })

  time.now = noon + day
  t.mock.timers.tick(60_000)
  // A write waits for those before it.
  await storage.events.forget(0)
  const whileKept = await oldest()
  time.now += 1
  t.mock.timers.tick(60_000)
  while ((await oldest()) !== 12_001n) await storage.events.forget(0)

  assert.equal(whileKept, 1n)
})

test('responses of idempotency keys are deleted after a day, also if no request comes', async (t) => {
  const { time, storage, deletedAnswers } = await start(t)
  await storage.pets.create({ name: 'Rex', categoryId: 1n }, { keyId: key.id, name: 'once', fingerprint: 'x' })

  time.now += day
  t.mock.timers.tick(60_000)
  while (deletedAnswers.length < 2) await nextLoopTick()

  assert.deepEqual(deletedAnswers, [1, 0])
})

test('tries to deliver are deleted after seven days, also if nothing is delivered any more', async (t) => {
  const { time, storage } = await start(t)
  const attempt = { webhookId: 1n, type: 'petstore.webhook.test', attempt: 1, durationMs: 1 }
  await storage.deliveries.addTry({ ...attempt, at: noon })
  await storage.deliveries.addTry({ ...attempt, at: noon + 1 })
  const kept = async () => (await storage.deliveries.list(1n, 10)).items.map(({ at }) => at)

  time.now += 7 * day + 1
  t.mock.timers.tick(60_000)
  while ((await kept()).length > 1) await nextLoopTick()

  assert.deepEqual(await kept(), [noon + 1])
})

test('events are deleted by one task at a time, which ends before a stopping service closes its storage', async (t) => {
  let running = 0
  let mostAtOnce = 0
  let batchesLeft = 100
  const events: Replaced['events'] = {
    async forget() {
      mostAtOnce = Math.max(mostAtOnce, ++running)
      await nextLoopTick()
      running--
      return --batchesLeft > 0 ? 5_000 : 0
    },
  }
  const { maintenance } = await start(t, { events })

  for (let minute = 0; minute < 3; minute++) t.mock.timers.tick(60_000)
  await maintenance.stop()
  const stillRunning = running
  await nextLoopTick()
  const startedLater = running

  assert.deepEqual({ mostAtOnce, stillRunning, startedLater }, { mostAtOnce: 1, stillRunning: 0, startedLater: 0 })
})
