import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import * as fc from 'fast-check'
import { Webhook } from 'standardwebhooks'
import { Webhooks, WebhookVerificationError } from '../../client/src/webhooks.ts'

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const other = 'whsec_c2Vjb25kIHNlY3JldCBvZiB0aGUgZW5kcG9pbnQ='
const body = '{"type":"petstore.pet.created","data":{"id":9007199254740993,"name":"Żółw 🐢","categoryId":1}}'
const sentAt = 1_763_371_800
const now = new Date(sentAt * 1_000)

/** What the reference library sends. */
function signed({ id = '17', text = body, by = secret, at = sentAt } = {}) {
  const signature = new Webhook(by).sign(id, new Date(at * 1_000), text)
  return { 'webhook-id': id, 'webhook-timestamp': String(at), 'webhook-signature': signature }
}

async function faultOf(...args: Parameters<typeof Webhooks.verify>): Promise<WebhookVerificationError> {
  const error: unknown = await Webhooks.verify(args[0], args[1], args[2], { now, ...args[3] }).then(
    () => assert.fail('it was accepted'),
    (fault: unknown) => fault,
  )
  assert.ok(error instanceof WebhookVerificationError, String(error))
  return error
}

test('what the reference library signs is the event, exact to the last digit', async () => {
  const event = await Webhooks.verify(body, signed(), secret, { now })

  assert.equal(event.type, 'petstore.pet.created')
  assert.ok(event.type === 'petstore.pet.created')
  assert.equal(event.data.id, 9007199254740993n)
  assert.equal(event.data.name, 'Żółw 🐢')
})

test('without a time, now is compared', async () => {
  const at = Math.floor(Date.now() / 1_000)

  assert.equal((await Webhooks.verify(body, signed({ at }), secret)).type, 'petstore.pet.created')
  await assert.rejects(Webhooks.verify(body, signed(), secret), { code: 'too_old' })
})

test('ours accepts and refuses what the reference library does, whatever was changed', async () => {
  const text = fc.string({ unit: 'binary', maxLength: 40 })
  const webhook = fc.record({
    id: fc.stringMatching(/^[a-z0-9_.-]{1,12}$/),
    payload: fc.tuple(text, fc.bigInt({ min: 0n, max: 2n ** 63n - 1n })),
    by: fc.constantFrom(secret, other),
    change: fc.constantFrom('nothing', 'id', 'timestamp', 'body', 'signature', 'version', 'order'),
  })

  await fc.assert(
    fc.asyncProperty(webhook, async ({ id, payload: [name, number], by, change }) => {
      const at = Math.floor(Date.now() / 1_000)
      const sent = `{"type":"petstore.pet.created","data":{"id":${number},"name":${JSON.stringify(name)}}}`
      const headers = signed({ id, text: sent, by, at })
      if (change === 'id') headers['webhook-id'] += '1'
      if (change === 'timestamp') headers['webhook-timestamp'] = String(at - 1)
      if (change === 'signature') headers['webhook-signature'] = headers['webhook-signature'].slice(0, -2)
      if (change === 'version') headers['webhook-signature'] = headers['webhook-signature'].replace('v1,', 'v1a,')
      if (change === 'order') headers['webhook-signature'] = `v1a,abc v1,AAAA ${headers['webhook-signature']}`
      const received = change === 'body' ? sent.replace('created', 'deleted') : sent

      const isGenuine = await Webhooks.verify(received, headers, secret).then(
        ({ type }) => type === 'petstore.pet.created',
        ({ code }) => code !== 'wrong_signature',
      )
      let expected = true
      try {
        new Webhook(secret).verify(received, headers)
      } catch {
        expected = false
      }
      assert.equal(isGenuine, expected)
      assert.equal(isGenuine, by === secret && (change === 'nothing' || change === 'order'))
    }),
    { numRuns: 60 },
  )
})

test('the body may be a text, bytes, a part of a buffer, or an ArrayBuffer', async () => {
  const bytes = new TextEncoder().encode(body)
  const part = Buffer.from(`xx${body}xx`).subarray(2, -2)

  for (const form of [body, bytes, Buffer.from(body), part, bytes.slice().buffer]) {
    assert.equal((await Webhooks.verify(form, signed(), secret, { now })).type, 'petstore.pet.created')
  }
})

test('headers may be a Headers or an object, with names in any case and values in arrays', async () => {
  const headers = signed()
  const upper = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]))
  const arrays = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]))

  for (const form of [headers, new Headers(headers), upper, arrays, { ...upper, host: undefined, get: 'x' }]) {
    assert.equal((await Webhooks.verify(body, form, secret, { now })).type, 'petstore.pet.created')
  }
})

test('during a rotation one signature of several, or one secret of several, is enough', async () => {
  const both = `${signed({ by: other })['webhook-signature']} ${signed()['webhook-signature']}`
  const headers = { ...signed(), 'webhook-signature': both }

  for (const secrets of [secret, other, [other], [other, secret], secret.replace('whsec_', '')]) {
    assert.equal((await Webhooks.verify(body, headers, secrets, { now })).type, 'petstore.pet.created')
  }
  assert.equal((await Webhooks.verify(body, signed(), [other, secret], { now })).type, 'petstore.pet.created')
  assert.equal((await faultOf(body, signed(), [other, other])).code, 'wrong_signature')
})

test('a webhook from more than five minutes ago, or ahead, is refused', async () => {
  for (const [seconds, code] of [
    [-301, 'too_new'],
    [-300, undefined],
    [300, undefined],
    [301, 'too_old'],
  ] as const) {
    const later = new Date((sentAt + seconds) * 1_000)
    const result = await Webhooks.verify(body, signed(), secret, { now: later }).then(
      () => undefined,
      (error: WebhookVerificationError) => error.code,
    )
    assert.equal(result, code, `${seconds}`)
  }
})

test('a request without a header, or with a timestamp that is no time, is refused by name', async () => {
  for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature']) {
    for (const value of [undefined, '']) {
      const { code, message } = await faultOf(body, { ...signed(), [name]: value }, secret)
      assert.equal(code, 'missing_header')
      assert.ok(message.includes(name))
    }
  }
  for (const value of ['', 'now', '1763371800.5', '-1763371800', '0x69', '1763371800 ', '1e9', '9'.repeat(400)]) {
    const { code } = await faultOf(body, { ...signed(), 'webhook-timestamp': value }, secret)
    assert.equal(code, value === '' ? 'missing_header' : 'invalid_header', value)
  }
})

test('only a whole v1 signature counts', async () => {
  const { 'webhook-signature': right } = signed()
  const digits = right.slice(3)

  for (const value of [
    digits,
    `v2,${digits}`,
    `v1a,${digits}`,
    `V1,${digits}`,
    `v1,${digits},`,
    `${right}=`,
    right.slice(0, -1),
    right.slice(0, 20),
    'v1,',
    `v1, ${digits}`,
    right.replace(/^v1,./, (start) => `v1,${start.at(-1) === 'A' ? 'B' : 'A'}`),
  ]) {
    const { code } = await faultOf(body, { ...signed(), 'webhook-signature': value }, secret)
    assert.equal(code, 'wrong_signature', value)
  }
})

test('what is signed but no event is refused', async () => {
  for (const text of ['', 'null', '[]', '"text"', '{"type":1}', '{"id":"17"}', '{"type":"petstore.pet']) {
    assert.equal((await faultOf(text, signed({ text }), secret)).code, 'invalid_body', text)
  }
})

test('no error contains the secret or the expected signature', async () => {
  const { 'webhook-signature': expected } = signed({ text: '{}' })

  const errors = [
    await faultOf('{}', signed(), secret),
    await faultOf('{}', { ...signed(), 'webhook-timestamp': '1' }, secret),
    await Webhooks.verify(body, signed(), `${secret}!`).catch((error: unknown) => error),
  ]
  for (const error of errors) {
    assert.ok(error instanceof Error)
    const shown = `${error.stack} ${JSON.stringify(error)}`
    assert.ok(!shown.includes(secret.slice(6)) && !shown.includes(expected.slice(3)), shown)
  }
})

test('an argument that cannot be used is a TypeError that says which', async () => {
  for (const [use, message] of [
    [() => Webhooks.verify(JSON.parse(body), signed(), secret), /^body must be the raw text or bytes/],
    [() => Webhooks.verify(body, signed(), ''), /^secret must be/],
    [() => Webhooks.verify(body, signed(), undefined as never), /^secret must be/],
    [() => Webhooks.verify(body, signed(), 'whsec_'), /^secret must be/],
    [() => Webhooks.verify(body, signed(), 'whsec_not base64'), /^secret must be/],
    [() => Webhooks.verify(body, signed(), []), /^secret must be .* got none/],
  ] as const) {
    await assert.rejects(use, (error) => error instanceof TypeError && message.test(error.message))
  }
})

test('it loads nothing else of the client than its JSON', async () => {
  const { metafile } = await build({
    entryPoints: [fileURLToPath(new URL('../../client/src/webhooks.ts', import.meta.url))],
    bundle: true,
    metafile: true,
    write: false,
  })

  assert.deepEqual(
    Object.keys(metafile.inputs).map((path) => path.replace(/^.*client\/src\//, '')),
    ['json.ts', 'webhooks.ts'],
  )
})
