import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import type { Deliveries, DeliveryRecord } from '../../src/inventory/deliveries.ts'
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

test('many tries are stored in small transactions, so that no write of the shop waits long for them', async () => {
  const sizes: number[] = []
  const deliveries = {
    async record(_lease: unknown, _leaseMs: number, { tries }: DeliveryRecord) {
      sizes.push(tries.length)
      return true
    },
    async release() {},
  } as Partial<Deliveries> as Deliveries
  const books = startBookkeeping({
    deliveries,
    lease: { holder: 'a', generation: 1n },
    leaseMs: 60_000,
    lineage: () => undefined,
    lost: () => assert.fail('The lease was not lost.'),
    mayGoOn: () => undefined,
    report: (error) => assert.fail(error),
  })

  for (let eventId = 1n; eventId <= 120n; eventId++) {
    books.logTry({
      webhookId: 1n,
      eventId,
      type: 'petstore.pet.created',
      at: 0,
      attempt: 1,
      status: 204,
      durationMs: 1,
    })
  }
  await books.end()

  assert.deepEqual(sizes, [50, 50, 20])
})
