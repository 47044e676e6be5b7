import assert from 'node:assert/strict'
import { test } from 'node:test'
import { outcomeOf } from '../../src/webhooks/outcome.ts'
import { isDue, isHopeless, nextAttemptAt } from '../../src/webhooks/schedule.ts'
import type { SendResult } from '../../src/webhooks/send-result.ts'

const hour = 3_600_000
const day = 24 * hour
const now = Date.UTC(2030, 0, 1)

test('an event is tried again after 5 s, 30 s, 5 min, 30 min and then hourly, each up to a fifth later', () => {
  const delays = (random: number) =>
    [1, 2, 3, 4, 5, 6].map((attempts) => nextAttemptAt(attempts, now, () => random) - now)

  assert.deepEqual(delays(0), [5_000, 30_000, 300_000, 1_800_000, hour, hour])
  assert.deepEqual(delays(1), [6_000, 36_000, 360_000, 2_160_000, 1.2 * hour, 1.2 * hour])
})

test('a try is due from its time on, and also if it is further ahead than any delay', () => {
  const dues = [-1, 0, 1, 1.2 * hour, 1.2 * hour + 1].map((ahead) => isDue(now + ahead, now))

  assert.deepEqual(dues, [true, true, false, false, true])
})

test('an event is given up after three days, to the millisecond', () => {
  assert.deepEqual([isHopeless(now - 3 * day + 1, now), isHopeless(now - 3 * day, now)], [false, true])
})

const ended = {
  endpoint: { id: 7n, url: 'https://shop.example/', format: 'json', secret: 'whsec_', startsAfter: 0n, activeSince: 1 },
  event: { id: 17n, type: 'petstore.pet.created', at: 5, body: () => '{}' },
  at: now,
} as const
const failing = { attempts: 2, failingSince: now - hour }
const outcome = (result: SendResult, before: Parameters<typeof outcomeOf>[1] = failing) =>
  outcomeOf({ ...ended, result }, before, now + 10)

test('only a status of 2xx is taken', () => {
  const isTaken = [199, 200, 299, 300, undefined].map(
    (status) => outcome({ ...(status !== undefined && { status }), durationMs: 9 }).failure === undefined,
  )

  assert.deepEqual(isTaken, [false, true, true, false, false])
})

test('a try that was taken is logged, and nothing follows from it', () => {
  assert.deepEqual(outcome({ status: 204, durationMs: 9 }), {
    entry: {
      webhookId: 7n,
      eventId: 17n,
      type: 'petstore.pet.created',
      at: now,
      attempt: 3,
      status: 204,
      durationMs: 9,
    },
  })
})

test('a try has the lineage of its event, if it has one', () => {
  const result = { status: 204, durationMs: 9 }
  const event = { ...ended.event, lineage: 'k3x9Qa7B' }

  assert.equal(outcomeOf({ ...ended, event, result }, failing, now).entry.lineage, 'k3x9Qa7B')
  assert.ok(!('lineage' in outcomeOf({ ...ended, result }, failing, now).entry))
})

test('a try that failed is logged with the time of the next one, and the event fails since its first try', () => {
  const { entry, failure } = outcome({ status: 500, durationMs: 9 })

  assert.deepEqual([failure?.since, failure?.reason, entry.attempt], [now - hour, undefined, 3])
  assert.equal(entry.nextAttemptAt, failure?.retryAt)
  // The third failure.
  assert.ok((failure?.retryAt ?? 0) >= now + 10 + 300_000)
})

test('an event fails since the earlier time if somebody has set the clock back, and since now at first', () => {
  const since = (failingSince?: number) =>
    outcome({ error: 'refused', durationMs: 9 }, { attempts: 0, failingSince }).failure?.since

  assert.deepEqual([since(now + hour), since(undefined)], [now, now])
})

test('the last try of an endpoint says why it is disabled, and announces no other', () => {
  const gone = outcome({ status: 410, durationMs: 9 })
  const failed = outcome({ status: 500, durationMs: 9 }, { attempts: 80, failingSince: now + 10 - 3 * day })

  assert.deepEqual([gone.failure?.reason, failed.failure?.reason], ['gone', 'failed'])
  for (const { entry } of [gone, failed]) assert.ok(!('nextAttemptAt' in entry))
})
