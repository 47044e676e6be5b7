import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { type Answer, rawRequest, readAnswers, share, shareApp, startApp } from '../support/app.ts'
import { assertError } from '../support/error.ts'
import { credentialFor, requests, startShop } from '../support/operations.ts'

const sharedApp = shareApp()
/** For requests that change nothing: reads, and those that are refused. */
const sharedShop = share(startShop)

const strict = { prefer: 'handling=strict' }
const bodiless = Object.entries(requests).filter(([, [, body]]) => body === undefined)
const withBody = Object.entries(requests).filter(([, [, body]]) => body !== undefined)
const withJson = withBody.filter(([, [, , type]]) => type === undefined)

function ask(
  app: Pick<Awaited<ReturnType<typeof startApp>>, 'send'>,
  [start, body, contentType = 'application/json']: readonly [string, (string | undefined)?, (string | undefined)?],
  headers = {},
) {
  const [method = '', path = ''] = start.split(' ')
  const id = /invitations\/(current|redeem)/.test(path) ? 'redeemInvitation' : ''
  const type = body === undefined ? {} : { 'content-type': contentType }
  return app.send(path, {
    method,
    headers: { ...type, ...credentialFor(id), ...headers },
    ...(body !== undefined && { body }),
  })
}

/** A shop that the request may change. */
function shopFor(t: TestContext, start: string) {
  return start.startsWith('GET ') ? sharedShop() : startShop(t)
}

function messageOf({ body }: Answer): string {
  return (body as { message: string }).message
}

test('every operation is tested here', () => {
  assert.ok(bodiless.length > 5 && withBody.length > 3)
})

for (const [id, [start, body, type]] of Object.entries(requests)) {
  const unknown = `${start}?colour=red&limits=5&colour=blue`

  test(`${id} ignores unknown query parameters, unless the client prefers strict handling`, async (t) => {
    for (const headers of [{}, { prefer: 'handling=lenient' }, { prefer: 'handling=strange' }]) {
      const app = await shopFor(t, start)
      const answer = await ask(app, [unknown, body, type], headers)
      assert.ok(answer.status < 300, answer.text)
    }
    const app = await sharedShop()

    const refused = await ask(app, [unknown, body, type], strict)

    assertError(refused, 'invalid_parameter')
    assert.match(messageOf(refused), /^Unknown parameters: "colour", "limits"\. Known: /)
    assert.equal(refused.headers.get('preference-applied'), 'handling=strict')
  })

  test(`${id} confirms strict handling if nothing is unknown`, async (t) => {
    const app = await shopFor(t, start)

    const answer = await ask(app, [start, body, type], strict)

    assert.ok(answer.status < 300, answer.text)
    assert.equal(answer.headers.get('preference-applied'), 'handling=strict')
  })

  test(`${id} confirms lenient handling, and nothing without a preference`, async (t) => {
    const lenient = await ask(await shopFor(t, start), [start, body, type], { prefer: 'handling=lenient' })
    const none = await ask(await shopFor(t, start), [start, body, type])

    assert.equal(lenient.headers.get('preference-applied'), 'handling=lenient')
    assert.equal(none.headers.get('preference-applied'), null)
  })
}

for (const [id, [start, body = '']] of withJson) {
  test(`${id} ignores unknown members of the body, unless the client prefers strict handling`, async (t) => {
    const more = body.replace('{', '{"colour":"red","__proto__":{"status":"sold"},')
    const accepted = await ask(await startShop(t), [start, more])
    const app = await sharedShop()

    const refused = await ask(app, [start, more], strict)

    assert.ok(accepted.status < 300, accepted.text)
    assertError(refused, 'invalid_body')
    assert.match(messageOf(refused), /^Unknown members: "colour", "__proto__"\. Known: /)
    assert.equal(refused.headers.get('preference-applied'), 'handling=strict')
  })
}

// The body of a GET or DELETE is not read: it means nothing (RFC 9110, 9.3).
for (const [id, [start]] of bodiless.filter(([, [start]]) => start.startsWith('POST'))) {
  test(`${id} ignores a body, unless the client prefers strict handling`, async (t) => {
    const app = await shopFor(t, start)

    const refused = await ask(app, [start, '{"colour":"red"}'], strict)
    const accepted = await ask(app, [start, '{"colour":"red"}'])

    assertError(refused, 'invalid_body')
    assert.match(messageOf(refused), /takes no body/)
    assert.equal(refused.headers.get('preference-applied'), 'handling=strict')
    assert.ok(accepted.status < 300, accepted.text)
  })
}

test('strict handling names unknown and wrong fields together', async () => {
  const app = await sharedShop()

  const query = await ask(app, ['GET /v1/pets?limit=0&offset=5'], strict)
  const body = await ask(app, ['POST /v1/pets', '{"nam":"Rex","categoryId":1}'], strict)

  assert.match(
    messageOf(query),
    /^limit must be an integer from 1 to 100\. Unknown parameter: "offset"\. Known: limit, /,
  )
  assert.match(messageOf(body), /^name is missing: .*\. Unknown member: "nam"\. Known: name, categoryId, status\.$/)
})

test('a request refused by an earlier gate confirms no preference', async () => {
  const app = await sharedShop()

  for (const answer of [
    await ask(app, ['GET /v1/pets?x=1'], { ...strict, authorization: 'Bearer unknown' }),
    await ask(app, ['GET /v1/nope?x=1'], strict),
    await ask(app, ['POST /v1/pets', 'x'], { ...strict, 'content-type': 'text/plain' }),
  ]) {
    assert.ok(answer.status >= 400)
    assert.equal(answer.headers.get('preference-applied'), null)
  }
})

test('a page that is no operation ignores unknown parameters, and confirms no preference', async () => {
  const { send } = await sharedApp()

  const answer = await send('/livez?x=1', { headers: strict })

  assert.equal(answer.status, 200)
  assert.equal(answer.headers.get('preference-applied'), null)
})

for (const [header, applied] of Object.entries({
  'handling=strict': 'handling=strict',
  'Handling = Strict': 'handling=strict',
  'handling="strict"': 'handling=strict',
  'handling=strict; foo=1': 'handling=strict',
  'respond-async, handling=strict': 'handling=strict',
  'wait=10,handling=lenient , count=none': 'handling=lenient',
  'handling=strict, count=exact': 'handling=strict, count=exact',
  'count=exact, handling=strict': 'handling=strict, count=exact',
  'count="exact"; x="a, b", handling=lenient': 'handling=lenient, count=exact',
  'count=exact': 'count=exact',
  'handling=strict, handling=lenient': 'handling=strict',
  'handling=lenient, handling=strict': 'handling=lenient',
  'count=none, count=exact': null,
  handling: null,
  'handling=': null,
  'handling=strictly': null,
  'xhandling=strict': null,
  'x="handling=strict"': null,
  'x="a, handling=strict"': null,
  'x="\\", handling=strict"': null,
  'x;handling=strict': null,
  'handling="strict': null,
  'handling=strict x': null,
  'handling strict': null,
  'handling==strict': null,
  '"handling"=strict': null,
  '=strict': null,
  ', ,': null,
  '': null,
})) {
  test(`Prefer is parsed as in RFC 7240: ${header || 'empty'}`, async () => {
    const { send } = await sharedApp()

    const answer = await send('/v1/pets', { headers: { prefer: header } })

    assert.equal(answer.status, 200)
    assert.equal(answer.headers.get('preference-applied'), applied)
    assert.equal(answer.headers.get('x-total-count'), applied?.includes('count') ? '0' : null)
  })
}

test('preferences may be in several headers', async (t) => {
  const app = await startApp(t)
  const headers = ['Host: petstore', 'Connection: close', `Authorization: Bearer ${app.key}`]

  const raw = await app.sendRaw(
    rawRequest('GET /v1/pets?x=1', [
      ...headers,
      'Prefer: count=exact',
      'prefer: respond-async',
      'Prefer: handling=strict',
    ]),
  )

  const [answer] = readAnswers(raw)
  assertError(answer as Answer, 'invalid_parameter')
})

for (const path of [
  '/v1/pets',
  '/v1/pets/1',
  '/v1/store/orders',
  '/v1/store/orders/1',
  '/v1/categories',
  '/v1/categories/1',
]) {
  test(`a cacheable response has Vary: Prefer: ${path}`, async () => {
    const { send } = await sharedShop()
    const first = await send(path)

    const unchanged = await send(path, { headers: { 'if-none-match': first.headers.get('etag') ?? '' } })

    assert.equal(unchanged.status, 304)
    for (const { headers } of [first, unchanged]) assert.match(headers.get('vary') ?? '', /\bPrefer\b/)
  })
}

test('strict and lenient requests do not share cached responses', async () => {
  const { send } = await sharedShop()
  const path = '/v1/pets?colour=red'

  for (let times = 0; times < 3; times++) {
    assert.equal((await send(path)).status, 200)
    assertError(await send(path, { headers: strict }), 'invalid_parameter')
  }
})

test('a strict retry replays a lenient request', async (t) => {
  const { create } = await startApp(t)
  const first = await create({ name: 'Rex', categoryId: 1 }, { 'idempotency-key': 'a' })

  const again = await create({ name: 'Rex', categoryId: 1 }, { 'idempotency-key': 'a', ...strict })

  assert.equal(again.text, first.text)
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
})

test('an operation without parameters refuses a broken percent escape', async () => {
  const app = await sharedShop()

  for (const [start, body, type] of Object.values(requests))
    assertError(await ask(app, [`${start}?a=%zz`, body, type]), 'invalid_parameter')
})
