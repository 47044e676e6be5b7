import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { openStorage } from '../../src/storage/open.ts'
import { nodeFlags } from '../deploy/files.ts'
import { postgres, sqlite } from '../support/engines.ts'
import { followEvents, openUnread } from '../support/event-stream.ts'
import { startService, type Service } from '../support/service.ts'
import { until } from '../support/until.ts'

const mebibyte = 1024 * 1024
const eventCount = 20_000

for (const engine of [sqlite, postgres]) {
  for (const [kind, path] of [
    ['follow', '/v1/events'],
    ['catch up', '/v1/events?after=0'],
  ] as const) {
    test(`${engine.name}: 500 clients that ${kind} and do not read cost little memory, and others nothing`, {
      timeout: 180_000,
    }, async (t) => {
      const url = await engine.url(t)
      // The flags that `npm start` has.
      const env = { PETSTORE_DATABASE_URL: url, PETSTORE_LOG_LEVEL: 'silent', NODE_OPTIONS: nodeFlags.join(' ') }
      const service = await startService(t, { env })
      const storage = await openStorage(url)
      t.after(() => storage.close())
      async function addAnimals(): Promise<void> {
        for (let added = 0; added < eventCount; added += 1_000) {
          await storage.imports.add(Array.from({ length: 1_000 }, () => ({ name: 'x'.repeat(900), categoryId: 1n })))
        }
      }

      if (kind === 'catch up') await addAnimals()
      for (let opened = 0; opened < 500; opened++) await openUnread(t, { ...service, path })
      const reading = await followEvents(t, { ...service, path })
      const watching = watch(service)
      if (kind === 'follow') await addAnimals()
      await reading.until(() => reading.events.length >= eventCount)
      // Two heartbeats after each has been sent all that its connection takes.
      await until(async () => (await metricsOf(service)).get('petstore_event_streams') === 1, 120_000)
      const { peakBytes, slowestMs } = await watching.stop()

      t.diagnostic(`peak ${Math.round(peakBytes / mebibyte)} MiB, slowest request ${Math.round(slowestMs)} ms`)
      assert.ok(peakBytes <= 250 * mebibyte, `${peakBytes} bytes`)
      assert.ok(slowestMs < 2_000, `${slowestMs} ms`)
    })
  }
}

/** Asks for a list and for the memory of the service again and again. */
function watch(service: Service) {
  const { origin, key } = service
  const headers = { authorization: `Bearer ${key}` }
  const stopped = new AbortController()
  let peakBytes = 0
  let slowestMs = 0
  const watching = (async () => {
    while (!stopped.signal.aborted) {
      const started = performance.now()
      await (await fetch(`${origin}/v1/pets?limit=1`, { headers })).text()
      slowestMs = Math.max(slowestMs, performance.now() - started)
      peakBytes = Math.max(peakBytes, (await metricsOf(service)).get('process_resident_memory_bytes') as number)
      await wait(100)
    }
  })()
  return {
    async stop() {
      stopped.abort()
      await watching
      return { peakBytes, slowestMs }
    },
  }
}

async function metricsOf({ origin, key }: Service): Promise<Map<string, number>> {
  const response = await fetch(`${origin}/metrics`, { headers: { authorization: `Bearer ${key}` } })
  const lines = [...(await response.text()).matchAll(/^(\w+) (\S+)$/gm)]
  return new Map(lines.map(([, name = '', value]) => [name, Number(value)]))
}
