import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Answer, rawRequest, readAnswers, startApp } from '../support/app.ts'
import { assertError } from '../support/error.ts'
import { rex, proper, listRepeatedly, responseTo, sendParts } from '../support/raw-requests.ts'

test('a request of HTTP/1.1 without a Host is refused', async (t) => {
  const app = await startApp(t)

  const answer = await responseTo(app, rawRequest('GET /v1/pets', proper(app).slice(1)))

  assertError(answer, 'invalid_request')
})

test('a request with two Hosts is refused', async (t) => {
  const app = await startApp(t)
  await listRepeatedly(app)

  const answer = await responseTo(app, rawRequest('GET /v1/pets', [...proper(app), 'Host: petstore']))

  assertError(answer, 'invalid_request')
})

/** A path of the list, with a query, that is this long. */
function addressOf(length: number): string {
  return '/v1/pets?x='.padEnd(length, 'a')
}

test('an address of 4 KiB is accepted', async (t) => {
  const app = await startApp(t)

  const answer = await responseTo(app, rawRequest(`GET ${addressOf(4_096)}`, proper(app)))

  assert.equal(answer.status, 200)
})

for (const length of [4_097, 7_900, 8_193, 9_000, 20_000]) {
  test(`a longer address is refused: ${length} characters`, async (t) => {
    const app = await startApp(t)

    const answer = await responseTo(app, rawRequest(`GET ${addressOf(length)}`, proper(app)))

    assertError(answer, 'uri_too_long')
  })
}

test('a longer address gets 414 if it arrives in pieces', async (t) => {
  const app = await startApp(t)
  const request = rawRequest(`GET ${addressOf(10_000)}`, proper(app))

  const raw = await sendParts(app, [request.slice(0, 6_000), request.slice(6_000)])

  assertError(readAnswers(raw)[0] as Answer, 'uri_too_long')
})

for (const host of [
  'a b',
  'u@evil',
  'a, b',
  'a,b',
  'a:b',
  'a:-1',
  'a:65536',
  'a:1:2',
  ':80',
  '::1',
  '[::1',
  '[::1]x',
  '[::g]',
  '[]',
  'a/b',
  'http://a',
  'a?b',
  'é',
]) {
  test(`an invalid Host is refused: ${host}`, async (t) => {
    const app = await startApp(t)
    const [, ...headers] = proper(app)

    const answers = [
      await responseTo(app, rawRequest('GET /v1/pets', [`Host: ${host}`, ...headers])),
      await responseTo(app, rawRequest('GET http://petstore/v1/pets', [`Host: ${host}`, ...headers])),
    ]

    for (const answer of answers) assertError(answer, 'invalid_request')
  })
}

for (const host of [
  'petstore',
  'PetStore.example.',
  'pet_store:8080',
  '127.0.0.1:0',
  '[::1]',
  '[::1]:65535',
  'a:',
  '',
]) {
  test(`a valid Host is accepted: ${host}`, async (t) => {
    const app = await startApp(t)
    const [, ...headers] = proper(app)

    const answer = await responseTo(app, rawRequest('GET /v1/pets', [`Host: ${host}`, ...headers]))

    assert.equal(answer.status, 200)
  })
}

for (const method of ['GET', 'POST']) {
  test(`the address * is allowed only for OPTIONS: ${method}`, async (t) => {
    const app = await startApp(t)

    assertError(await responseTo(app, rawRequest(`${method} *`, proper(app))), 'invalid_request')
  })
}

test('links use the authority of an absolute address, whatever Host says', async (t) => {
  const app = await startApp(t)
  await app.create(rex)
  await app.create(rex)
  const asked = async (address: string) => {
    const answer = await responseTo(app, rawRequest(`GET ${address}`, proper(app)))
    assert.equal(answer.status, 200)
    return /<(.*?)\?/.exec(answer.headers.get('link') ?? '')?.[1]
  }

  // Often enough for a cached answer, which must not be given to the other of them.
  for (let times = 0; times < 3; times++) {
    assert.equal(await asked('http://other.example:81/v1/pets?limit=1'), 'http://other.example:81/v1/pets')
    assert.equal(await asked('/v1/pets?limit=1'), 'http://petstore/v1/pets')
    assert.equal(await asked('HTTP://third/v1/pets?limit=1'), 'http://third/v1/pets')
  }
})

test('an absolute address needs no path', async (t) => {
  const app = await startApp(t)

  const answers = [
    await responseTo(app, rawRequest('GET http://petstore', proper(app))),
    await responseTo(app, rawRequest('GET http://petstore?x', proper(app))),
  ]

  assert.deepEqual(
    answers.map(({ headers }) => headers.get('content-type')),
    ['text/html; charset=utf-8', 'text/html; charset=utf-8'],
  )
})

for (const [name, address, headers] of [
  ['no Host', 'http://petstore/v1/pets', []],
  ['two Hosts', 'http://petstore/v1/pets', ['Host: petstore', 'Host: petstore']],
  ['a user in the address', 'http://user:secret@petstore/v1/pets', ['Host: petstore']],
  ['a port that is none', 'http://petstore:x/v1/pets', ['Host: petstore']],
] as const) {
  test(`an absolute address with ${name} is refused`, async (t) => {
    const app = await startApp(t)

    const answer = await responseTo(app, rawRequest(`GET ${address}`, [...headers, ...proper(app).slice(1)]))

    assertError(answer, 'invalid_request')
    assert.ok(!JSON.stringify(app.answered).includes('secret'))
  })
}
