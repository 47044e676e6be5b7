import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deliveryLog } from '../../src/cli/serving/log/delivery-log.ts'
import type { Log } from '../../src/cli/serving/log/log.ts'
import { unavailable } from '../../src/inventory/errors.ts'
import type { Endpoint } from '../../src/inventory/webhooks.ts'

const minute = 60_000
const webhook = (id: bigint): Endpoint => ({
  id,
  url: `https://${id}.example/path-secret?token=query-secret`,
  format: 'json',
  secret: 'whsec_own-secret',
  startsAfter: 0n,
  activeSince: 0,
})

function start() {
  const lines: { level: string; values: object; text: string }[] = []
  const line = (level: string) => (values: object, text: string) => lines.push({ level, values, text })
  const log = { info: line('info'), warn: line('warn'), error: line('error') } as unknown as Log
  const time = { now: 0 }
  const { tried, disabled, failed, stalled } = deliveryLog(log, () => time.now)
  const attempt = (status: number | undefined, id = 1n, isLast = status === 204, number = 1) =>
    tried(
      {
        webhookId: id,
        eventId: 7n,
        type: 'petstore.pet.created',
        at: 0,
        attempt: number,
        durationMs: 1,
        responseStart: 'response-secret',
        ...(!isLast && { nextAttemptAt: 5_000 }),
        ...(status === undefined ? { error: 'connect ECONNREFUSED' } : { status }),
      },
      webhook(id),
    )
  return { lines, time, attempt, disabled, failed, stalled, texts: () => lines.map(({ text }) => text) }
}

const failing = 'a delivery to a webhook failed and is tried again'
const again = 'deliveries to a webhook succeed again'

test('the first failure of a webhook is one line, and so is its recovery', () => {
  const { lines, attempt } = start()

  for (const status of [204, 500, 500, undefined, 204, 204]) attempt(status)

  const name = { webhookId: '1', origin: 'https://1.example' }
  assert.deepEqual(lines, [
    { level: 'warn', values: { ...name, eventId: '7', status: 500, error: undefined }, text: failing },
    { level: 'info', values: name, text: again },
  ])
})

test('a webhook that failed before a restart has a line when it takes its event', () => {
  const { attempt, texts } = start()

  attempt(204, 1n, true, 3)
  attempt(204, 2n)

  assert.deepEqual(texts(), [again])
})

test('a log line of a delivery has no secret, no path, no query and no response', () => {
  const { lines, attempt, disabled } = start()

  attempt(undefined)
  attempt(204)
  disabled(webhook(1n), 'gone')

  assert.equal(lines.length, 3)
  assert.doesNotMatch(JSON.stringify(lines), /secret|token/)
})

test('a webhook that fails and succeeds by turns is logged once in ten minutes, and at last if it stays failing', () => {
  const { time, attempt, texts } = start()

  for (let round = 0; round < 100; round++) for (const status of [500, 204]) attempt(status)
  assert.deepEqual(texts(), [failing, again])
  attempt(500)
  time.now += 10 * minute
  attempt(500)
  attempt(500)

  assert.deepEqual(texts(), [failing, again, failing])
})

test('the failure that disables a webhook is not said to be tried again', () => {
  const { attempt, disabled, texts } = start()

  attempt(410, 1n, true)
  disabled(webhook(1n), 'gone')

  assert.deepEqual(texts(), ['a webhook was disabled'])
})

test('every webhook has its own lines', () => {
  const { lines, attempt } = start()

  attempt(500, 1n)
  attempt(500, 2n)
  attempt(204, 2n)

  const ids = lines.map(({ values }) => (values as { webhookId: string }).webhookId)
  assert.deepEqual(ids, ['1', '2', '2'])
})

test('an outage of the database is logged once a minute', () => {
  const { time, failed, texts } = start()

  for (let second = 0; second < 90; second++, time.now += 1_000) failed(unavailable('No database.'))

  assert.deepEqual(texts(), ['deliveries are put off', 'deliveries are put off'])
})

test('deliveries that stand still are one line for each reason, and one when they go on', () => {
  const { lines, stalled, texts } = start()

  stalled(undefined)
  for (const reason of ['storage', 'storage', 'thread'] as const) stalled({ since: 0, reason })
  stalled(undefined)
  stalled(undefined)

  const still = 'deliveries to webhooks stand still'
  assert.deepEqual(texts(), [still, still, 'deliveries to webhooks go on'])
  assert.deepEqual(lines[0]?.values, { since: '1970-01-01T00:00:00.000Z', reason: 'storage' })
})
