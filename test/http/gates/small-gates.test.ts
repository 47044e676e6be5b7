import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Operation } from '../../../src/contract/operation.ts'
import type { Route } from '../../../src/http/exchange.ts'
import { isExpectationMet, sendContinue } from '../../../src/http/gates/expectation.ts'
import { checkInput } from '../../../src/http/gates/input.ts'
import { invitationFinder } from '../../../src/http/gates/invitation.ts'
import { refuseAfterSunset } from '../../../src/http/gates/sunset.ts'
import type { Invitations } from '../../../src/inventory/invitations.ts'
import type { StoredInvitation } from '../../../src/inventory/stored-invitation.ts'
import { makeExchange, makeResponse } from '../../support/exchange.ts'

const routeOf = (route: Partial<Route>): Route => route as Route

for (const [prefer, isStrict, confirmed] of [
  [undefined, false, undefined],
  ['handling=strict', true, 'handling=strict'],
  ['handling=lenient', false, 'handling=lenient'],
  ['handling=other', false, undefined],
  ['count=exact', false, undefined],
] as const) {
  test(`input is checked as its client prefers: ${prefer ?? 'no preference'}`, () => {
    const asked: unknown[] = []
    const exchange = makeExchange({ url: '/v1/pets?a=1', rawHeaders: prefer === undefined ? [] : ['Prefer', prefer] })
    exchange.findings.body = Buffer.from('x')
    exchange.findings.route = routeOf({
      checkBody: (body, strict) => (asked.push([String(body), strict]), 'the body'),
      checkQuery: (query, strict) => (asked.push([query, strict]), 'the query'),
    })

    checkInput(exchange)

    assert.deepEqual(asked, [
      ['x', isStrict],
      ['a=1', isStrict],
    ])
    assert.deepEqual([exchange.findings.body, exchange.findings.query], ['the body', 'the query'])
    assert.equal(exchange.response.headers['preference-applied'], confirmed)
  })
}

test('what is no operation has no input to check, and confirms no preference', () => {
  const exchange = makeExchange({ rawHeaders: ['Prefer', 'handling=strict'] })
  exchange.findings.route = routeOf({})
  exchange.findings.body = 'as it is'

  checkInput(exchange)

  const { body, query } = exchange.findings
  assert.deepEqual([body, query, exchange.response.headers], ['as it is', undefined, {}])
})

test('an operation is gone from its sunset on', () => {
  const sunset = new Date('2030-12-05T00:00:00Z')
  const pass = (now: number, operation: Partial<Operation> | undefined) => {
    const exchange = makeExchange({})
    exchange.findings.route = routeOf({ operation: operation as Operation })
    void refuseAfterSunset(() => now)(exchange)
  }
  const deprecated = { deprecation: { sunset } } as Partial<Operation>

  pass(sunset.getTime() - 1, deprecated)
  for (const operation of [{}, undefined]) pass(sunset.getTime() + 1, operation)
  void refuseAfterSunset(() => sunset.getTime())(makeExchange({}))
  assert.throws(() => pass(sunset.getTime(), deprecated), { code: 'gone', message: /removed on 2030-12-05: / })
})

test('an invitation that works is found, and an address may try ten others', async () => {
  let now = 0
  const known = { name: 'Ada', expiresAt: new Date(1_000).toISOString() } as StoredInvitation
  const asked: unknown[] = []
  const invitations = {
    async findByHash(hash) {
      asked.push(hash)
      return hash === 'known' ? known : undefined
    },
  } as Partial<Invitations> as Invitations
  const find = invitationFinder(invitations, () => now)
  const { request } = makeExchange({ remoteAddress: '192.0.2.1' })

  assert.equal(await find(request, 'known'), known)
  for (let tries = 0; tries < 9; tries++) assert.equal(await find(request, 'unknown'), undefined)
  assert.equal(await find(request, undefined), undefined)
  assert.ok(!asked.includes(undefined))
  await assert.rejects(find(request, 'unknown'), { code: 'rate_limited', retryAfterSeconds: 60 })
  assert.equal(await find(request, 'known'), known)
  now = 1_000
  await assert.rejects(find(request, 'known'), { code: 'rate_limited', retryAfterSeconds: 59 })
  now = 60_000
  assert.equal(await find(request, 'known'), undefined)
})

for (const [expect, isMet] of [
  ['', true],
  ['100-continue', true],
  ['100-Continue, ', true],
  ['100-continue,100-continue', true],
  ['tea', false],
  ['100-continue, tea', false],
] as const) {
  test(`the expectation "${expect}" is ${isMet ? '' : 'not '}met`, () => assert.equal(isExpectationMet(expect), isMet))
}

for (const [name, made, isTold] of [
  ['with a length', { rawHeaders: ['Content-Length', '5'] }, true],
  ['with chunks', { rawHeaders: ['Transfer-Encoding', 'chunked'] }, true],
  ['of the largest length', { rawHeaders: ['Content-Length', '10'] }, true],
  ['that is too large', { rawHeaders: ['Content-Length', '11'] }, false],
  ['that is empty', { rawHeaders: ['Content-Length', '0'] }, false],
  ['that is absent', { rawHeaders: [] }, false],
  ['of a method that has none', { method: 'DELETE', rawHeaders: ['Content-Length', '5'] }, false],
  ['of PUT', { method: 'PUT', rawHeaders: ['Content-Length', '5'] }, true],
  ['of PATCH', { method: 'PATCH', rawHeaders: ['Content-Length', '5'] }, true],
  ['of HTTP/1.0', { httpVersion: '1.0', rawHeaders: ['Content-Length', '5'] }, false],
] as const) {
  test(`a client that expects 100-continue is ${isTold ? '' : 'not '}told to send a body ${name}`, (t) => {
    for (const [expect, mayBeTold] of [
      ['100-continue', true],
      ['', false],
      [undefined, false],
    ] as const) {
      const outgoing = makeResponse()
      const { mock } = t.mock.method(outgoing, 'writeContinue', () => undefined)
      const rawHeaders = [...made.rawHeaders, ...(expect === undefined ? [] : ['Expect', expect])]
      const exchange = makeExchange({ method: 'POST', ...made, rawHeaders, outgoing })
      exchange.findings.route = routeOf({ maxBodyBytes: 10 })

      sendContinue(exchange)

      assert.equal(mock.callCount(), isTold && mayBeTold ? 1 : 0)
    }
  })
}
