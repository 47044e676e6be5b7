import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { newKeySecret } from '../../src/inventory/key-secret.ts'
import { rateLimits } from '../../src/http/gates/rate-limit.ts'
import { assertError } from '../support/error.ts'
import { makeExchange } from '../support/exchange.ts'
import { startLimited } from '../support/limited-app.ts'

/** Headers of a request without a valid key. */
const invalid = { authorization: 'Bearer x' }

test('requests without a valid key are limited by client address', async (t) => {
  const { send, clock } = await startLimited(t)
  const first = await send('/v1/pets', { headers: invalid })
  clock.now += 12_345
  const second = await send('/v1/nope', { headers: { authorization: '' } })

  const third = await send('/v1/pets', { headers: invalid })

  assertError(first, 'unauthorized')
  assert.equal(first.headers.get('ratelimit-policy'), '"address";q=2;w=60')
  assert.equal(first.headers.get('ratelimit'), '"address";r=1;t=60')
  assertError(second, 'unauthorized')
  assert.equal(second.headers.get('ratelimit'), '"address";r=0;t=48')
  assertError(third, 'rate_limited')
  assert.equal(third.headers.get('retry-after'), '48')
  clock.now += 48_000
  assertError(await send('/v1/pets', { headers: invalid }), 'unauthorized')
})

test('a valid key is independent of the limit of its address', async (t) => {
  const { send } = await startLimited(t)
  for (let count = 0; count < 4; count++) await send('/v1/pets', { headers: invalid })

  const answers = [await send('/v1/pets'), await send('/v1/pets'), await send('/v1/pets')]

  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 429],
  )
  assert.equal(answers[0]?.headers.get('ratelimit'), '"key";r=1;t=60')
})

for (const [what, path] of [
  ['metrics', '/metrics'],
  ['the console', '/console/key'],
] as const) {
  test(`requests without a valid key are limited wherever a key is required: ${what}`, async (t) => {
    const { send } = await startLimited(t, { metrics: async () => '' })
    for (let count = 0; count < 2; count++) assertError(await send(path, { headers: invalid }), 'unauthorized')

    assertError(await send('/v1/pets', { headers: invalid }), 'rate_limited')
    assertError(await send(path, { headers: invalid }), 'rate_limited')
  })

  test(`the limit of a key counts its requests wherever a key is required: ${what}`, async (t) => {
    const { send } = await startLimited(t, { metrics: async () => '' })
    for (let count = 0; count < 2; count++) assert.equal((await send(path)).status, 200)

    assertError(await send(path), 'rate_limited')
    assertError(await send('/v1/pets'), 'rate_limited')
  })
}

test('an unknown key counts like a malformed one', async (t) => {
  const { send } = await startLimited(t)
  const headers = { authorization: `Bearer ${newKeySecret('production')}` }

  const answers = [
    await send('/v1/pets', { headers }),
    await send('/v1/pets', { headers }),
    await send('/v1/pets', { headers }),
  ]

  assert.deepEqual(
    answers.map(({ status }) => status),
    [401, 401, 429],
  )
})

test('a nonstandard method counts for its address', {
  skip: process.platform !== 'linux' && 'NOT TESTED: only Linux has more than one loopback address',
}, async (t) => {
  const { origin, send } = await startLimited(t)
  async function ask(localAddress: string): Promise<string> {
    const socket = connect({ host: '127.0.0.1', port: Number(new URL(origin).port), localAddress })
    socket.end('FOO /v1/pets HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer x\r\n\r\n')
    return (await text(socket)).slice(0, 12)
  }

  assert.equal(await ask('127.0.0.2'), 'HTTP/1.1 401')
  assert.equal(await ask('127.0.0.2'), 'HTTP/1.1 401')
  assert.equal(await ask('127.0.0.2'), 'HTTP/1.1 429')
  assertError(await send('/v1/pets', { headers: invalid }), 'unauthorized')
})

test('the address comes from a trusted proxy only', async (t) => {
  const behind = await startLimited(t, { trustProxy: true })
  const bare = await startLimited(t)
  const ask = (app: typeof bare, client: string) =>
    app.send('/v1/pets', { headers: { ...invalid, 'x-forwarded-for': client } })

  for (const app of [behind, bare]) for (let count = 0; count < 3; count++) await ask(app, '192.0.2.1')

  assertError(await ask(behind, '192.0.2.1'), 'rate_limited')
  assertError(await ask(behind, '192.0.2.2'), 'unauthorized')
  assertError(await ask(bare, '192.0.2.2'), 'rate_limited')
})

test('an IPv6 network is limited as one client', async (t) => {
  const app = await startLimited(t, { trustProxy: true })
  const ask = (client: string) => app.send('/v1/pets', { headers: { ...invalid, 'x-forwarded-for': client } })

  await ask('2001:db8::1')
  await ask('2001:db8::2')

  assertError(await ask('2001:db8:0:0:ffff::3'), 'rate_limited')
  assertError(await ask('2001:db8:0:1::1'), 'unauthorized')
})

test('an IPv4 address in IPv6 notation has the limit of the IPv4 address, and no other one', async (t) => {
  const app = await startLimited(t, { trustProxy: true })
  const ask = (client: string) => app.send('/v1/pets', { headers: { ...invalid, 'x-forwarded-for': client } })

  await ask('192.0.2.1')
  await ask('::ffff:c000:201')

  assertError(await ask('0:0:0:0:0:ffff:192.0.2.1'), 'rate_limited')
  assertError(await ask('::ffff:c000:202'), 'unauthorized')
})

test('the number of counted addresses is limited, the oldest are dropped', () => {
  const { refuse } = rateLimits(1, () => 0)
  const codeFor = (remoteAddress: string) => refuse(makeExchange({ remoteAddress }))?.code
  assert.equal(codeFor('192.0.2.1'), undefined)
  assert.equal(codeFor('192.0.2.1'), 'rate_limited')

  for (let count = 0; count < 99_999; count++) codeFor(addressNumber(count))
  assert.equal(codeFor('192.0.2.1'), 'rate_limited')

  codeFor(addressNumber(99_999))

  assert.equal(codeFor('192.0.2.1'), undefined)
  assert.equal(codeFor(addressNumber(99_999)), 'rate_limited')
})

test('an address whose minute began anew is not among the oldest', () => {
  let now = 0
  const { refuse } = rateLimits(1, () => now)
  const codeFor = (remoteAddress: string) => refuse(makeExchange({ remoteAddress }))?.code
  codeFor('192.0.2.1')
  now = 30_000
  codeFor('192.0.2.2')
  now = 60_000
  codeFor('192.0.2.1')

  for (let count = 0; count < 99_999; count++) codeFor(addressNumber(count))

  assert.equal(codeFor('192.0.2.1'), 'rate_limited')
  assert.equal(codeFor('192.0.2.2'), undefined)
})

test('a minute that has ended is forgotten when another begins', () => {
  let now = 0
  const { refuse } = rateLimits(1, () => now)
  const codeFor = (remoteAddress: string) => refuse(makeExchange({ remoteAddress }))?.code
  codeFor('192.0.2.1')
  now = 60_000
  codeFor('192.0.2.2')

  // In the minute that has ended, if it were still known.
  now = 30_000
  assert.equal(codeFor('192.0.2.1'), undefined)
})

function addressNumber(count: number): string {
  return `10.${count >> 16}.${(count >> 8) & 255}.${count & 255}`
}
