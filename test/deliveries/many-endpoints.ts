import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openStorage } from '../../src/storage/open.ts'
import { postgres, sqlite } from '../support/engines.ts'
import { until } from '../support/until.ts'
import { type Received, startReceiver, verify } from '../support/webhook-receiver.ts'
import { repeatsIn } from './repeats.ts'
import { startInstance } from './shop.ts'

const endpoints = 1_000
const hangingEndpoints = 100
const events = 10
const patienceMs = 300_000

for (const engine of [sqlite, postgres]) {
  test(`${engine.name}: of 1,000 endpoints 100 hang, and the others get every event once, in order and signed`, async (t) => {
    const url = await engine.url(t)
    const receiver = await startReceiver(t)
    const hanging = await startReceiver(t, () => undefined)
    const storage = await openStorage(url)
    const secrets = new Map<string, string>()
    for (let number = 0; number < endpoints; number++) {
      const path = `/${number}`
      const { url: origin } = number < hangingEndpoints ? hanging : receiver
      const made = await storage.webhooks.create({ url: `${origin}${path}` })
      assert.ok(made.outcome === 'created')
      secrets.set(path, made.secret)
    }
    await storage.close()
    const shop = await startInstance(t, url)

    const waits: number[] = []
    for (let count = 0; count < events; count++) {
      const startedAt = performance.now()
      await shop.addPet(`pet ${count}`)
      waits.push(performance.now() - startedAt)
      await until(() => receiver.received.length >= (count + 1) * (endpoints - hangingEndpoints), patienceMs)
    }

    const byPath = Map.groupBy(receiver.received, ({ path }: Received) => path)
    assert.equal(byPath.size, endpoints - hangingEndpoints)
    for (const received of byPath.values()) {
      const ids = received.map(({ id }) => Number(id))
      assert.equal(ids.length, events)
      assert.deepEqual(repeatsIn(ids), [])
    }
    assert.deepEqual([...new Set(hanging.ids())], ['1'])
    for (const each of [...receiver.received, ...hanging.received]) verify(each, secrets.get(each.path) ?? '')
    console.log(`The slowest of ${events} creates took ${Math.round(Math.max(...waits))} ms.`)
  })
}
