import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Delivery } from '../../../client/src/index.ts'
import { messageText, outcomeText } from '../../../console/state/deliveries.ts'

const tried: Delivery = {
  id: 1,
  webhookId: 1,
  eventId: '17',
  type: 'petstore.order.placed',
  time: '2026-11-15T09:30:00.000Z',
  attempt: 1,
  durationMs: 5,
}

test('what came of a delivery is said in words', () => {
  const outcomes: [Partial<Delivery>, string][] = [
    [{ status: 204 }, 'Taken (204)'],
    [{ status: 301 }, 'Refused: it responds with a redirect (301)'],
    [{ status: 401 }, 'Refused: it does not accept the sender (401)'],
    [{ status: 404 }, 'Refused: nothing is at this path (404)'],
    [{ status: 410 }, 'Refused for good (410)'],
    [{ status: 422 }, 'Refused: it does not accept the event (422)'],
    [{ status: 503 }, 'Refused: its program failed (503)'],
    [{ error: 'connect ECONNREFUSED 203.0.113.7:443' }, 'Not taken: nothing listens at its address'],
    [{ error: 'queryA ENOTFOUND shop.example.com' }, 'Not taken: its name was not found'],
    [{ error: 'no response within 15 s' }, 'Not taken: it did not respond within 15 seconds'],
    [{ error: 'the connection was closed without a response' }, 'Not taken: it closed the connection'],
    [{ error: 'TLS failed: wrong version number' }, 'Not taken: it does not speak HTTPS as it should'],
    [{ error: 'self-signed certificate' }, 'Not taken: its certificate is not trusted'],
    [{ error: 'url must be a public address' }, 'Not taken: its address is not public'],
    [{ error: 'something new' }, 'Not taken: something new'],
  ]

  for (const [result, text] of outcomes) assert.equal(outcomeText({ ...tried, ...result }), text)
})

test('what was sent is said in words, also a type of event that this page does not know', () => {
  const { eventId: _eventId, ...test } = tried

  assert.equal(messageText(tried), 'An order was placed (event 17)')
  assert.equal(messageText({ ...tried, type: 'petstore.order.lost' }), 'petstore.order.lost (event 17)')
  assert.equal(messageText({ ...test, type: 'petstore.webhook.test' }), 'A test')
})
