import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../support/app.ts'
import { assertError } from '../support/error.ts'
import { current, invite } from '../support/invitation-requests.ts'
import { startLimited } from '../support/limited-app.ts'

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

test('the refusal says whether an API key or the token of an invitation has used up its requests', async (t) => {
  const app = await startLimited(t)
  const { token } = await invite(app)
  await app.send('/v1/pets')
  await current(app, token)
  await current(app, token)

  const [ofKey, ofToken] = [await app.send('/v1/pets'), await current(app, token)]

  assertError(ofKey, 'rate_limited')
  assertError(ofToken, 'rate_limited')
  assert.match(ofKey.text, /This API key may send 2 requests a minute/)
  assert.match(ofToken.text, /This token may send 2 requests a minute/)
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
