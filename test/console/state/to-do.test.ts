import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { connect, disconnect } from '../../../console/api/service.ts'
import { readFailedWebhooks, readOpenOrders } from '../../../console/state/to-do.ts'

const since = '2026-01-05T08:00:00.000Z'

for (const [what, webhook, isCounted] of [
  ['is on', { enabled: true }, false],
  ['was turned off by somebody', { enabled: false, disabledReason: 'requested' }, false],
  ['was failing when somebody turned it off', { enabled: false, failingSince: since }, false],
  ['does not take its next event', { enabled: true, failingSince: since }, true],
  ['is sent no events', { enabled: true, stalledSince: since, stalledReason: 'thread' }, true],
  ['took no event for three days', { enabled: false, disabledReason: 'failed' }, true],
  ['has an address that is gone', { enabled: false, disabledReason: 'gone' }, true],
  ['is off since the shop was restored', { enabled: false, disabledReason: 'restored' }, true],
  ['is off since the shop was copied', { enabled: false, disabledReason: 'copied' }, true],
] as const) {
  test(`a webhook that ${what} is ${isCounted ? '' : 'not '}something to do`, async (t) => {
    answerWith(t, [{ id: 1, url: 'https://example.com/hook', format: 'json', createdAt: since, ...webhook }])

    assert.equal(await readFailedWebhooks(), isCounted ? 1 : 0)
  })
}

for (const [stored, next, count] of [
  [0, undefined, '0'],
  [60, undefined, '60'],
  [100, undefined, '100'],
  [100, 'later', '100+'],
] as const) {
  test(`${count} open orders are counted, and the oldest five are shown`, async (t) => {
    const order = { petId: 1, status: 'placed', placedAt: since, updatedAt: since }
    answerWith(
      t,
      Array.from({ length: stored }, (_none, at) => ({ id: at + 1, ...order })),
      next,
    )

    const read = await readOpenOrders(new AbortController().signal)

    assert.equal(read.count, count)
    assert.deepEqual(
      read.oldest.map(({ id }) => id),
      [1, 2, 3, 4, 5].slice(0, stored),
    )
  })
}

function answerWith(t: TestContext, body: unknown, next?: string): void {
  Object.assign(globalThis, { document: { baseURI: 'http://127.0.0.1/' } })
  t.after(() => Reflect.deleteProperty(globalThis, 'document'))
  const headers: HeadersInit =
    next === undefined ? {} : { link: `<http://127.0.0.1/v1/store/orders?cursor=${next}>; rel="next"` }
  t.mock.method(globalThis, 'fetch', async () => Response.json(body, { headers }))
  connect('key', () => undefined)
  t.after(disconnect)
}
