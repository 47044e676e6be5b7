import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import type { Deliveries } from '../../src/inventory/deliveries.ts'
import { type Bookkeeping, startBookkeeping } from '../../src/webhooks/bookkeeping.ts'

test('positions are stored at most once a second, also if they move all the time', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout', 'setInterval'] })
  let records = 0
  const deliveries = {
    async record() {
      records += 1
      if (records < 50) books.move({ webhookId: 1n, eventId: BigInt(records), attempts: 0 })
      return true
    },
  } as Partial<Deliveries> as Deliveries
  const books: Bookkeeping = startBookkeeping({
    deliveries,
    lease: { holder: 'a', generation: 1n },
    leaseMs: 60_000,
    lineage: () => undefined,
    lost: () => assert.fail('The lease was not lost.'),
    mayGoOn: () => undefined,
    report: (error) => assert.fail(error),
  })
  t.after(books.abandon)

  books.move({ webhookId: 1n, eventId: 0n, attempts: 0 })
  for (const expected of [1, 2, 3]) {
    t.mock.timers.tick(1_000)
    await turn()
    assert.equal(records, expected)
  }
})
