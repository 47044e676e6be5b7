import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import type { DeliveryPosition, DeliveryRecord, NewDeliveryTry } from '../../src/inventory/deliveries.ts'
import { startBookkeeping } from '../../src/webhooks/bookkeeping.ts'

const lease = { holder: 'a', generation: 1n }
const leaseMs = 60_000
const position = (webhookId: bigint, eventId = 1n): DeliveryPosition => ({ webhookId, eventId, attempts: 0 })
const attempt: NewDeliveryTry = { webhookId: 1n, type: 'petstore.webhook.test', at: 0, attempt: 1, durationMs: 1 }

/** Books with a storage that responds when the test says so. All clocks stand still until the test moves them. */
function books(t: TestContext) {
  let elapsed = 5_000
  t.mock.method(performance, 'now', () => elapsed)
  t.mock.timers.enable({ apis: ['Date', 'setTimeout', 'setInterval'], now: 1_000_000 })
  const calls: { name: string; record?: DeliveryRecord; respond: (isHeld: boolean) => void; fail: () => void }[] = []
  const counts = { lost: 0, wentOn: 0, reports: 0 }
  const call = (name: string, record?: DeliveryRecord) =>
    new Promise<boolean>((respond, reject) => {
      calls.push({ name, ...(record && { record }), respond, fail: () => reject(new Error('The disk is full.')) })
    })
  const bookkeeping = startBookkeeping({
    deliveries: {
      renew: (held, ms) => {
        assert.deepEqual([held, ms], [lease, leaseMs])
        return call('renew')
      },
      async release() {
        await call('release')
      },
      record: (_lease, _ms, record) => call('record', record),
    },
    lease,
    leaseMs,
    lineage: () => 'k3x9Qa7B',
    lost: () => counts.lost++,
    mayGoOn: () => counts.wentOn++,
    report: () => counts.reports++,
  })
  t.after(bookkeeping.abandon)
  return {
    bookkeeping,
    calls,
    counts,
    names: () => calls.map(({ name }) => name),
    async pass(ms: number) {
      elapsed += ms
      t.mock.timers.tick(ms)
      await turn()
    },
    async respond(isHeld = true) {
      calls.at(-1)?.respond(isHeld)
      await turn()
    },
    async fail() {
      calls.at(-1)?.fail()
      await turn()
    },
  }
}

test('the lease is renewed three times before it ends, and sending goes on', async (t) => {
  const { names, pass, respond, counts, bookkeeping } = books(t)

  for (const expected of [1, 2, 3]) {
    await pass(leaseMs / 3 - 1)
    assert.equal(names().length, expected - 1)
    await pass(1)
    await respond()
    assert.deepEqual([names().length, counts.wentOn], [expected, expected])
  }
  assert.deepEqual([names(), bookkeeping.canSend(), counts.lost], [['renew', 'renew', 'renew'], true, 0])
})

test('the lease counts from the call that renews it, not from the response', async (t) => {
  const { pass, respond, bookkeeping } = books(t)
  await pass(20_000)
  await pass(20_000)
  await respond()

  await pass(33_999)
  assert.equal(bookkeeping.canSend(), true)
  await pass(1)
  assert.equal(bookkeeping.canSend(), false)
})

test('one call waits for the other: the storage is asked once at a time', async (t) => {
  const { names, pass, respond, bookkeeping } = books(t)
  await pass(20_000)
  bookkeeping.move(position(1n))
  await pass(20_000)
  assert.deepEqual(names(), ['renew'])

  await respond()
  await pass(0)
  assert.deepEqual(names(), ['renew', 'record'])
})

test('a process that has lost the lease says so once, sends nothing and stores nothing more', async (t) => {
  const { names, pass, respond, counts, bookkeeping } = books(t)
  await pass(20_000)
  bookkeeping.move(position(1n))
  await respond(false)

  assert.deepEqual([counts.lost, counts.wentOn, bookkeeping.canSend()], [1, 0, false])
  bookkeeping.logTry(attempt)
  await pass(0)
  await pass(60_000)
  await bookkeeping.end()
  assert.deepEqual([names(), counts.lost], [['renew'], 1])
})

test('a lease that ends while a process stops is not lost', async (t) => {
  const { pass, respond, counts, bookkeeping } = books(t)
  await pass(20_000)
  bookkeeping.abandon()
  await respond(false)

  assert.equal(counts.lost, 0)
})

test('the last position of each webhook is stored with the lineage, at once if nothing was stored lately', async (t) => {
  const { calls, pass, respond, names, bookkeeping } = books(t)
  bookkeeping.move(position(1n, 1n))
  bookkeeping.move(position(2n, 1n))
  bookkeeping.move(position(1n, 2n))
  bookkeeping.logTry(attempt)
  await pass(0)

  assert.deepEqual(calls[0]?.record, {
    positions: [position(1n, 2n), position(2n, 1n)],
    tries: [attempt],
    lineage: 'k3x9Qa7B',
  })
  await respond()
  await pass(2_000)
  assert.deepEqual(names(), ['record'])
})

test('what is added while the storage writes is stored a second after that began, and nothing twice', async (t) => {
  const { calls, pass, respond, bookkeeping } = books(t)
  bookkeeping.move(position(1n, 1n))
  bookkeeping.move(position(2n, 1n))
  bookkeeping.logTry(attempt)
  await pass(0)
  bookkeeping.move(position(1n, 2n))
  bookkeeping.logTry({ ...attempt, attempt: 2 })
  await pass(400)
  await respond()

  await pass(599)
  assert.equal(calls.length, 1)
  await pass(1)
  assert.deepEqual(calls[1]?.record?.positions, [position(1n, 2n)])
  assert.deepEqual(calls[1]?.record?.tries, [{ ...attempt, attempt: 2 }])
})

test('what could not be stored is stored again, and it is known since when', async (t) => {
  const { calls, pass, respond, fail, counts, bookkeeping } = books(t)
  bookkeeping.move(position(1n))
  await pass(0)
  await fail()
  assert.deepEqual([bookkeeping.failingSince, counts.reports, counts.wentOn], [1_000_000, 1, 1])
  await pass(1_000)
  await fail()
  assert.equal(bookkeeping.failingSince, 1_000_000)

  await pass(1_000)
  assert.deepEqual(calls[2]?.record?.positions, [position(1n)])
  await respond()
  assert.deepEqual([bookkeeping.failingSince, counts.reports], [undefined, 2])
})

test('120 positions are stored in three transactions', async (t) => {
  const { calls, pass, respond, bookkeeping } = books(t)
  for (let id = 1n; id <= 120n; id++) bookkeeping.move(position(id))
  await pass(0)
  for (let count = 0; count < 3; count++) await respond()
  await pass(1_000)

  assert.deepEqual(
    calls.map(({ record }) => record?.positions.length),
    [50, 50, 20],
  )
})

test('a process that stops waits for what is being written, stores the rest and gives the lease back', async (t) => {
  const { names, pass, respond, calls, bookkeeping } = books(t)
  await pass(20_000)
  bookkeeping.move(position(1n))
  const ended = bookkeeping.end()
  await turn()
  assert.deepEqual(names(), ['renew'])
  await respond()
  assert.deepEqual(names(), ['renew', 'record'])
  await respond()
  assert.deepEqual(names(), ['renew', 'record', 'release'])
  await respond()
  await ended
  assert.equal(bookkeeping.canSend(), false)

  await pass(60_000)
  assert.equal(calls.length, 3)
})

test('a process that stops stores the rest once, however long that takes', async (t) => {
  const { names, pass, respond, bookkeeping } = books(t)
  bookkeeping.move(position(1n))
  const ended = bookkeeping.end()
  await turn()
  await pass(40_000)
  assert.deepEqual(names(), ['record'])

  await respond()
  await respond()
  await ended
})

test('a try is stored also if no position moves', async (t) => {
  const { calls, pass, bookkeeping } = books(t)
  bookkeeping.logTry(attempt)
  await pass(0)

  assert.deepEqual(calls[0]?.record?.tries, [attempt])
})

test('a process that finds the lease lost while it stops gives nothing back', async (t) => {
  const { names, respond, bookkeeping } = books(t)
  bookkeeping.move(position(1n))
  const ended = bookkeeping.end()
  await turn()
  await respond(false)
  await ended

  assert.deepEqual(names(), ['record'])
})

test('a process stops also if nothing can be stored or given back', async (t) => {
  const { names, fail, counts, bookkeeping } = books(t)
  bookkeeping.move(position(1n))
  const ended = bookkeeping.end()
  await turn()
  await fail()
  await fail()
  await ended

  assert.deepEqual([names(), counts.reports], [['record', 'release'], 2])
})
