import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Stall } from '../../src/inventory/deliveries.ts'
import { startApp } from '../support/app.ts'
import { postgres, sqliteInMemory } from '../support/engines.ts'

interface Shown {
  id: number
  [member: string]: unknown
}

for (const engine of [sqliteInMemory, postgres]) {
  test(`${engine.name}: the list says since when a webhook fails, which does not change its ETag`, async (t) => {
    const app = await startApp(t, { engine })
    await app.storage.webhooks.create({ url: 'http://127.0.0.1:9/' })
    const etag = (await app.send('/v1/webhooks/1')).headers.get('etag') ?? ''
    const before = await app.send('/v1/webhooks')
    const lease = await app.storage.deliveries.acquire('somebody', 60_000)
    assert.ok(lease !== undefined)
    const failingSince = Date.now() + 1_000
    const record = (attempts: number) => {
      const position = { webhookId: 1n, eventId: 0n, attempts, ...(attempts > 0 && { failingSince }) }
      return app.storage.deliveries.record(lease, 60_000, { positions: [position], tries: [] })
    }

    await record(2)
    const failing = await app.send('/v1/webhooks', {
      headers: { 'if-none-match': before.headers.get('etag') ?? '' },
    })
    const changed = await app.sendJson('PATCH /v1/webhooks/1', { description: 'x' }, { 'if-match': etag })
    await record(0)
    const well = (await app.send('/v1/webhooks')).body as Shown[]

    const since = (shown: unknown) => (shown as Shown[])[0]?.['failingSince']
    assert.deepEqual([since(before.body), failing.status, changed.status], [undefined, 200, 200])
    assert.equal(since(failing.body), new Date(failingSince).toISOString())
    assert.equal(since(well), undefined)
  })

  test(`${engine.name}: the list says since when and why no events are sent, of enabled webhooks`, async (t) => {
    let stall: Stall | undefined
    const app = await startApp(t, { engine, deliveryStall: async () => stall })
    await app.storage.webhooks.create({ url: 'https://shop.example/hook' })
    await app.storage.webhooks.create({ url: 'https://other.example/hook' })
    await app.storage.webhooks.disable(2n, 'gone')
    const before = await app.send('/v1/webhooks')

    stall = { since: 1_000, reason: 'thread' }
    const [enabled, disabled] = (await app.send('/v1/webhooks')).body as Shown[]

    assert.deepEqual(enabled, {
      ...(before.body as Shown[])[0],
      stalledSince: '1970-01-01T00:00:01.000Z',
      stalledReason: 'thread',
    })
    assert.deepEqual(disabled, (before.body as Shown[])[1])
    assert.equal((before.body as Shown[])[0]?.['stalledSince'], undefined)
  })
}
