import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { newKeySecret } from '../../src/inventory/key-secret.ts'
import { rateLimits } from '../../src/http/gates/rate-limit.ts'
import { networkOf } from '../../src/http/request/client-network.ts'
import { startApp } from '../support/app.ts'
import { assertError } from '../support/error.ts'
import { makeExchange } from '../support/exchange.ts'

/** A service that allows two requests a minute, and its clock. */
async function startLimited(t: TestContext, options: Parameters<typeof startApp>[1] = {}) {
  const clock = { now: Date.parse('2027-01-01T00:00:00Z') }
  return { clock, ...(await startApp(t, { rateLimit: 2, clock: () => clock.now, ...options })) }
}

test('rate limits are off unless configured', async (t) => {
  const { send } = await startApp(t)

  const answers = await Promise.all(Array.from({ length: 20 }, () => send('/v1/pets')))

  assert.ok(answers.every(({ status }) => status === 200))
  assert.ok(answers.every(({ headers }) => !headers.has('ratelimit') && !headers.has('ratelimit-policy')))
})

test('every response has the policy and the remaining requests', async (t) => {
  const { send, clock } = await startLimited(t)

  const first = await send('/v1/pets')
  clock.now += 12_000
  const second = await send('/v1/pets')

  assert.equal(first.headers.get('ratelimit-policy'), '"key";q=2;w=60')
  assert.equal(first.headers.get('ratelimit'), '"key";r=1;t=60')
  assert.equal(second.headers.get('ratelimit-policy'), '"key";q=2;w=60')
  assert.equal(second.headers.get('ratelimit'), '"key";r=0;t=48')
})

test('a key above its limit gets 429 with Retry-After', async (t) => {
  const { send, clock } = await startLimited(t)
  await send('/v1/pets')
  await send('/v1/pets')
  clock.now += 12_345

  const answer = await send('/v1/pets')

  assertError(answer, 'rate_limited')
  assert.equal(answer.headers.get('retry-after'), '48')
  assert.equal(answer.headers.get('ratelimit-policy'), '"key";q=2;w=60')
  assert.equal(answer.headers.get('ratelimit'), '"key";r=0;t=48')
})

test('a client that waits for Retry-After is served again', async (t) => {
  const { send, clock } = await startLimited(t)
  await send('/v1/pets')
  await send('/v1/pets')
  const refused = await send('/v1/pets')
  clock.now += 1_000 * Number(refused.headers.get('retry-after'))

  const answer = await send('/v1/pets')

  assert.equal(answer.status, 200)
  assert.equal(answer.headers.get('ratelimit'), '"key";r=1;t=60')
})

test('a client that retries too early is refused', async (t) => {
  const { send, clock } = await startLimited(t)
  await send('/v1/pets')
  await send('/v1/pets')
  clock.now += 59_999

  const answer = await send('/v1/pets')

  assertError(answer, 'rate_limited')
  assert.equal(answer.headers.get('retry-after'), '1')
})

test('a minute begins anew when the clock is set back: nobody is refused for longer than a minute', async (t) => {
  const { send, clock } = await startLimited(t)
  for (let count = 0; count < 3; count++) await send('/v1/pets')
  clock.now -= 3_600_000

  const answer = await send('/v1/pets')

  assert.equal(answer.status, 200)
  assert.equal(answer.headers.get('ratelimit'), '"key";r=1;t=60')
})

test('each key has its own limit', async (t) => {
  const { send, makeKey } = await startLimited(t)
  const { secret } = await makeKey()
  await send('/v1/pets')
  await send('/v1/pets')

  const answer = await send('/v1/pets', { headers: { authorization: `Bearer ${secret}` } })

  assert.equal(answer.status, 200)
  assert.equal(answer.headers.get('ratelimit'), '"key";r=1;t=60')
})

test('the minute of a key begins with its own first request', async (t) => {
  const { send, makeKey, clock } = await startLimited(t)
  const { secret } = await makeKey()
  const late = { headers: { authorization: `Bearer ${secret}` } }
  await send('/v1/pets')
  clock.now += 30_000
  await send('/v1/pets', late)
  clock.now += 30_000

  const lateInItsMinute = await send('/v1/pets', late)
  clock.now += 30_000
  const lateAfterIt = await send('/v1/pets', late)

  assert.equal(lateInItsMinute.headers.get('ratelimit'), '"key";r=0;t=30')
  assert.equal(lateAfterIt.headers.get('ratelimit'), '"key";r=1;t=60')
})

for (const [path, method, status] of [
  ['/v1/pets?limit=0', 'GET', 400],
  ['/v1/pets/%zz', 'GET', 400],
  ['/v1/pets/999', 'GET', 404],
  ['/v1/nope', 'GET', 404],
  ['/v1/pets', 'DELETE', 405],
  ['/v1/pets', 'POST', 400],
  ['/v1/pets', 'HEAD', 200],
] as const) {
  test(`every request with a key counts, refused ones too: ${method} ${path}`, async (t) => {
    const { send } = await startLimited(t)

    const counted = await send(path, { method })
    const next = await send('/v1/pets')

    assert.equal(counted.status, status)
    assert.equal(counted.headers.get('ratelimit'), '"key";r=1;t=60')
    assert.equal(next.headers.get('ratelimit'), '"key";r=0;t=60')
  })
}

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

function addressNumber(count: number): string {
  return `10.${count >> 16}.${(count >> 8) & 255}.${count & 255}`
}

for (const [address, network] of [
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['::FFFF:c000:201', '192.0.2.1'],
  ['0:0:0:0:0:ffff:192.0.2.1', '192.0.2.1'],
  ['0000:0000:0000:0000:0000:ffff:c000:0201%eth0', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001::6', '2001:db8:1:0::/64'],
  ['2001:db8::3:4:5:6', '2001:db8:0:0::/64'],
  ['2001:db8:1:2:3::', '2001:db8:1:2::/64'],
  ['::1', '0:0:0:0::/64'],
  ['::', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['64:ff9b::192.0.2.1', '64:ff9b:0:0::/64'],
  ['1:2:3::4:5:192.0.2.1', '1:2:3:0::/64'],
  ['unknown', 'unknown'],
  ['x'.repeat(1_000), 'unknown'],
  ['', 'unknown'],
  [undefined, 'unknown'],
] as const) {
  test(`${address?.slice(0, 30)} is of the network ${network}`, () => {
    assert.equal(networkOf(address), network)
  })
}

test('a rate-limited request adds no animal', async (t) => {
  const { send, create, storage } = await startLimited(t)
  await send('/v1/pets')
  await send('/v1/pets')

  const answer = await create({ name: 'Rex', categoryId: 1 })

  assertError(answer, 'rate_limited')
  assert.equal(await storage.pets.count({}), 0n)
})

for (const path of ['/livez', '/readyz', '/openapi.json', '/docs']) {
  test(`requests that need no key have no limit: ${path}`, async (t) => {
    const { send } = await startLimited(t)

    const answers = [await send(path), await send(path), await send(path)]

    assert.deepEqual(
      answers.map(({ status, headers }) => [status, headers.has('ratelimit')]),
      [
        [200, false],
        [200, false],
        [200, false],
      ],
    )
  })
}
