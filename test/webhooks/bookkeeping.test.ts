import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
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

const never = () => new Promise<never>(() => undefined)

/** The books of a process whose storage never responds. */
function booksOf(t: TestContext, leaseMs = 60_000): Bookkeeping {
  const books = startBookkeeping({
    deliveries: { renew: never, release: never, record: never },
    lease: { holder: 'a', generation: 1n },
    leaseMs,
    lineage: () => undefined,
    lost: () => assert.fail('The lease was not lost.'),
    mayGoOn: () => undefined,
    report: (error) => assert.fail(error),
  })
  t.after(books.abandon)
  return books
}

test('a lease that was abandoned is not extended any more', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout', 'setInterval'] })
  let renewals = 0
  const deliveries = { renew: async () => ++renewals > 0 } as Partial<Deliveries> as Deliveries
  const books = startBookkeeping({
    deliveries,
    lease: { holder: 'a', generation: 1n },
    leaseMs: 60_000,
    lineage: () => undefined,
    lost: () => assert.fail('The lease was not lost.'),
    mayGoOn: () => undefined,
    report: (error) => assert.fail(error),
  })
  t.mock.timers.tick(20_000)
  await turn()
  assert.equal(renewals, 1)

  books.abandon()

  t.mock.timers.tick(60_000)
  await turn()
  assert.equal(renewals, 1)
})

test('nothing is sent if the clock says that the lease is over, or was set back as far', (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: 1_000_000 })
  const books = booksOf(t, 60_000)
  const canSendAt = (now: number) => {
    t.mock.timers.setTime(now)
    return books.canSend()
  }

  // A tenth of the lease is left for a message on its way.
  assert.deepEqual([canSendAt(1_053_999), canSendAt(1_054_000)], [true, false])
  assert.deepEqual([canSendAt(946_001), canSendAt(946_000)], [true, false])
})

test('nothing is sent if the lease is over, also while the clock of the machine stands still', (t) => {
  let elapsed = 5_000
  t.mock.method(performance, 'now', () => elapsed)
  t.mock.timers.enable({ apis: ['Date'], now: 1_000_000 })
  const books = booksOf(t, 60_000)

  elapsed += 53_999
  assert.equal(books.canSend(), true)
  elapsed += 1
  assert.equal(books.canSend(), false)
})

test('with 5,000 tries that are not stored nothing more is sent', (t) => {
  const books = booksOf(t)
  const attempt = { webhookId: 1n, type: 'petstore.webhook.test', at: 0, attempt: 1, durationMs: 1 }

  for (let count = 1; count < 5_000; count++) books.logTry(attempt)
  assert.equal(books.canSend(), true)
  books.logTry(attempt)
  assert.equal(books.canSend(), false)
})
