import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  commandLineKeyId,
  idempotencyRetentionMs,
  lastExpired,
  replayOf,
  storeResponse,
} from '../../../src/inventory/rules/idempotency.ts'
import { loadedFacts } from '../../../src/inventory/rules/loaded-facts.ts'

const at = Date.UTC(2030, 0, 1)
const key = { keyId: 'key_a', name: 'once', fingerprint: 'of Rex' }
const facts = loadedFacts({ responses: [{ key, response: { fingerprint: 'of Rex', body: 'the answer', at } }] })
const replay = (body: string) => ({ outcome: 'replayed' as const, body })

test('a key that was used before with the same fingerprint gets the answer of then', () => {
  assert.deepEqual(replayOf(facts, { idempotencyKey: key, at }, replay), { outcome: 'replayed', body: 'the answer' })
})

test('a key that was used before with another fingerprint is a mismatch', () => {
  const other = { ...key, fingerprint: 'of Tom' }

  assert.deepEqual(replayOf(facts, { idempotencyKey: other, at }, replay), { outcome: 'mismatch' })
})

test('the same name is another key for another API key', () => {
  assert.equal(replayOf(facts, { idempotencyKey: { ...key, keyId: 'key_b' }, at }, replay), undefined)
})

test('an answer is replayed for a day, to the millisecond', () => {
  const last = { idempotencyKey: key, at: at + idempotencyRetentionMs - 1 }
  const tooLate = { idempotencyKey: key, at: at + idempotencyRetentionMs }

  assert.equal(idempotencyRetentionMs, 86_400_000)
  assert.ok(replayOf(facts, last, replay))
  assert.equal(replayOf(facts, tooLate, replay), undefined)
})

test('a request without a key replays nothing and is not remembered', () => {
  assert.equal(replayOf(facts, { at }, replay), undefined)
  assert.deepEqual(
    storeResponse({ at }, () => assert.fail('it was encoded')),
    [],
  )
})

test('a record of an API key expires after a day, and one of the command line never', () => {
  assert.equal(lastExpired(key, at), at - idempotencyRetentionMs)
  assert.equal(lastExpired({ keyId: commandLineKeyId }, at), Number.MIN_SAFE_INTEGER)
})
