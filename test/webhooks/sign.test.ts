import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { secretsOf, signedHeaders } from '../../src/webhooks/sign.ts'

const secret = `whsec_${randomBytes(32).toString('base64')}`
const other = `whsec_${randomBytes(24).toString('base64')}`
const message = { id: '17', body: '{"type":"petstore.pet.created","data":{"name":"Zoë 🐈","id":9007199254740993}}' }

test('the reference library accepts our signature', () => {
  const headers = signedHeaders(message, [secret], Date.now())

  assert.deepEqual(new Webhook(secret).verify(message.body, headers), JSON.parse(message.body))
  assert.throws(() => new Webhook(other).verify(message.body, headers), /No matching signature/)
  assert.throws(() => new Webhook(secret).verify(`${message.body} `, headers), /No matching signature/)
  assert.throws(() => new Webhook(secret).verify(message.body, { ...headers, 'webhook-id': '18' }), /No matching/)
})

test('our signature is the one that the reference library makes', () => {
  const now = 1_794_614_400_999

  const headers = signedHeaders(message, [secret], now)

  assert.deepEqual(headers, {
    'webhook-id': '17',
    'webhook-timestamp': '1794614400',
    'webhook-signature': new Webhook(secret).sign('17', new Date(now), message.body),
  })
})

test('while a secret is replaced, receivers with either secret accept a delivery', () => {
  const headers = signedHeaders(message, [secret, other], Date.now())

  for (const known of [secret, other]) assert.ok(new Webhook(known).verify(message.body, headers))
})

test('a receiver refuses the timestamp of an old try', () => {
  const headers = signedHeaders(message, [secret], Date.now() - 6 * 60_000)

  assert.throws(() => new Webhook(secret).verify(message.body, headers), /too old/)
})

test('a replaced secret signs until it expires, and not at that moment', () => {
  const previousSecret = { secret: other, expiresAt: 1_000 }

  assert.deepEqual(secretsOf({ secret }, 0), [secret])
  assert.deepEqual(secretsOf({ secret, previousSecret }, 999), [secret, other])
  assert.deepEqual(secretsOf({ secret, previousSecret }, 1_000), [secret])
})
