import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertError } from '../support/error.ts'
import { ask, sharedApp } from '../support/authentication-requests.ts'

for (const start of ['GET /v1/pets', 'POST /v1/pets', 'GET /v1/pets/1', 'OPTIONS /v1/pets']) {
  test(`every operation requires a key: ${start}`, async () => {
    const app = await sharedApp()

    const answer = await ask(app, [], start)

    assertError(answer, 'unauthorized')
  })
}

for (const start of [
  'GET /v1',
  'GET /v1?limit=1',
  'GET /v1/',
  'GET /v1/nope',
  'GET /v1/pets/',
  'GET /v1/pets/1/more',
  'GET /v1/Pets',
  'GET /v1//pets',
  'GET /%761/pets',
  'GET http://petstore/v1/nope',
  'PUT /v1/pets',
  'DELETE /v1/pets/1',
  'PATCH /v1/nope',
  'OPTIONS /v1/nope',
  'TRACE /v1/pets',
  'PROPFIND /v1/pets',
]) {
  test(`unknown paths and wrong methods under /v1 require a key first: ${start}`, async () => {
    const app = await sharedApp()

    const answer = await ask(app, [], start)

    assertError(answer, 'unauthorized')
  })
}

for (const start of [
  'GET /livez',
  'GET /readyz',
  'GET /openapi.json',
  'GET /asyncapi.json',
  'GET /',
  'GET /console/main.js',
  'GET /docs',
  'GET /docs/start.js',
  'GET /docs/reference.js',
]) {
  test(`health, the document, the console and the reference page need no key: ${start}`, async () => {
    const app = await sharedApp()

    const answer = await ask(app, [], start)

    assert.equal(answer.status, 200)
  })
}

for (const path of ['/v1/pets', '/v1/pets/1']) {
  test(`a CORS preflight needs no key: ${path}`, async () => {
    const app = await sharedApp()

    const answer = await ask(
      app,
      ['Origin: https://shop.example', 'Access-Control-Request-Method: GET'],
      `OPTIONS ${path}`,
    )

    assert.equal(answer.status, 204)
  })
}

for (const headers of [
  ['Origin: https://shop.example'],
  ['Access-Control-Request-Method: GET'],
  ['Origin: https://shop.example', 'Access-Control-Request-Method: GET'],
]) {
  test(`other methods with the headers of a preflight need a key: ${headers.join(', ')}`, async () => {
    const app = await sharedApp()

    const answer = await ask(app, headers)

    assertError(answer, 'unauthorized')
  })
}
