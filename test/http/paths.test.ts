import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shareApp, startApp } from '../support/app.ts'
import { assertError } from '../support/error.ts'
import { ask, json, startSeven } from '../support/raw-requests.ts'

const sharedApp = shareApp()

for (const path of [
  '/v1/store',
  '/v1/store/orders/',
  '/v1/store/orders/1/x',
  '/v1/Events',
  '/v1/events/',
  '/v1/events/1',
]) {
  test(`a similar path is not found: ${path}`, async () => {
    const app = await sharedApp()

    assertError(await ask(app, `GET ${path}`), 'not_found')
  })
}

for (const path of [
  '/v1/pets/',
  '/v1/Pets',
  '/v1/PETS',
  '/v1//pets',
  '/v1/pets//1',
  '/v1/pets/1/',
  '/v1/pets/1/2',
  '/v1/pets%2F1',
  '/v1/pets;limit=1',
  '/v1/./pets',
  '/v1/nope',
  '/v1/',
  '/v1',
  '/V1/pets',
  '/v2/pets',
  '/pets',
  '//v1/pets',
  '/nope',
  '/livez/',
  '/metrics',
]) {
  test(`an unknown path is not found: ${path}`, async () => {
    const app = await sharedApp()

    const answer = await ask(app, `GET ${path}`)

    assertError(answer, 'not_found')
    assert.equal(answer.headers.has('allow'), false)
  })
}

for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'PROPFIND']) {
  test(`an unknown path is not found with any method: ${method}`, async () => {
    const app = await sharedApp()

    const answers = [await ask(app, `${method} /v1/nope`), await ask(app, `${method} /nope`)]

    for (const answer of answers) assertError(answer, 'not_found')
  })
}

test('a path outside /v1 is not found, with or without a key', async (t) => {
  const { origin } = await startApp(t)

  const response = await fetch(`${origin}/nope`)

  assert.equal(response.status, 404)
})

for (const path of ['/v1/pets/%37', '/v1/%70ets/7', '/%76%31/pets/7', 'http://petstore/v1/pets/7']) {
  test(`an escaped character equals the unescaped one: ${path}`, async (t) => {
    const app = await startSeven(t)
    const plain = await ask(app, 'GET /v1/pets/7')

    const answer = await ask(app, `GET ${path}`)

    assert.equal(answer.status, 200)
    assert.equal(answer.text, plain.text)
  })
}

test('an escape in a parameter equals the character', async (t) => {
  const app = await startSeven(t)
  const plain = await ask(app, 'GET /v1/pets?limit=7')

  const answer = await ask(app, 'GET /v1/pets?%6Cimit=%37')

  assert.equal(answer.status, 200)
  assert.equal(answer.text, plain.text)
})

test('escapes are decoded once: %2537 is not 7', async (t) => {
  const app = await startSeven(t)

  const answer = await ask(app, 'GET /v1/pets/%2537')

  assertError(answer, 'not_found')
})

for (const path of [
  '/v1/pets/%zz',
  '/v1/pets/%',
  '/v1/pets/1%2',
  '/v1/pets/%ff',
  '/v1/pets%',
  '/v1/nope/%E0%A4%A',
  '/%zz',
]) {
  test(`a broken escape in the path is refused: ${path}`, async () => {
    const app = await sharedApp()

    const answer = await ask(app, `GET ${path}`)

    assertError(answer, 'invalid_request')
  })
}

for (const query of ['limit=%zz', 'limit=1%', 'status=%f', 'status=%ff', '%zz=1', 'unknown=%zz', 'limit=1&unknown=%']) {
  test(`a broken escape in the query is refused: ${query}`, async () => {
    const app = await sharedApp()

    const answer = await ask(app, `GET /v1/pets?${query}`)

    assertError(answer, 'invalid_parameter')
  })
}

for (const [start, headers, body] of [
  ['GET /v1/pets/1', [], ''],
  ['POST /v1/pets', [json], '{"name":"Rex","categoryId":1}'],
] as const) {
  test(`a broken escape in the query is refused by operations without parameters: ${start}`, async (t) => {
    const app = await startSeven(t)

    const answer = await ask(app, `${start}?unknown=%zz`, headers, body)

    assertError(answer, 'invalid_parameter')
  })
}

for (const path of ['/openapi-json', '/docs/startXjs']) {
  test(`dots in a path are not resolved: ${path} is not found`, async () => {
    const app = await sharedApp()

    assertError(await ask(app, `GET ${path}`), 'not_found')
  })
}
