import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type DeliveryTry, encodeDelivery } from '../../src/contract/delivery.ts'
import { encodePosition } from '../../src/contract/position.ts'

const attempt: DeliveryTry = { id: 9n, webhookId: 2n, type: 'pet.created', at: 0, attempt: 1, durationMs: 3 }
const shown = '"type":"pet.created","time":"1970-01-01T00:00:00.000Z","attempt":1'

test('the JSON of a try has the position of its event, and all digits of its ids', () => {
  const lineage = 'k3x9Qa7B'
  const eventId = 9_007_199_254_740_993n

  assert.equal(
    encodeDelivery({ ...attempt, webhookId: eventId, eventId, lineage }),
    `{"id":9,"webhookId":${eventId},"eventId":"${encodePosition({ id: eventId, lineage })}",${shown},"durationMs":3}`,
  )
})

test('the JSON of a try has no member that the try has not', () => {
  assert.equal(encodeDelivery(attempt), `{"id":9,"webhookId":2,${shown},"durationMs":3}`)
})

test('the JSON of a failed try has its reason, what came back and when the next one is due', () => {
  const failed = { ...attempt, status: 500, error: 'closed', responseStart: 'no', nextAttemptAt: 5_000 }

  assert.equal(
    encodeDelivery(failed),
    `{"id":9,"webhookId":2,${shown},"status":500,"durationMs":3,"error":"closed","responseStart":"no",` +
      '"nextAttemptAt":"1970-01-01T00:00:05.000Z"}',
  )
})
