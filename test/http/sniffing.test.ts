import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rawRequest, readAnswers, shareApp, startApp } from '../support/app.ts'
import { followEvents } from '../support/event-stream.ts'
import { credentialFor, requests, startShop } from '../support/operations.ts'

const sharedApp = shareApp()

for (const [id, [start, body, type = 'application/json']] of Object.entries(requests)) {
  test(`every response of ${id} has nosniff, also errors and cached ones`, async (t) => {
    const { send } = await startShop(t)
    const [method = '', path = ''] = start.split(' ')
    const init = { method, ...(body !== undefined && { body }) }
    const headers = { ...credentialFor(id), ...(body !== undefined && { 'content-type': type }) }

    for (const sent of [headers, headers, headers, { authorization: '' }, { ...headers, 'content-type': 'text/plain' }])
      assertNosniff(await send(path, { ...init, headers: sent }))
  })
}

for (const path of [
  '/',
  '/console/main.js',
  '/console/key',
  '/docs',
  '/docs/start.js',
  '/docs/reference.js',
  '/openapi.json',
  '/asyncapi.json',
  '/livez',
  '/readyz',
  '/nope',
  '/v1/nope',
  '/v1/pets/%zz',
  '/v1/pets?limit=0',
]) {
  test(`responses to all methods have nosniff: ${path}`, async () => {
    const { send } = await sharedApp()

    for (const method of ['GET', 'HEAD', 'OPTIONS', 'DELETE']) assertNosniff(await send(path, { method }))
    const { headers } = await send(path)
    const etag = headers.get('etag')
    if (etag === null) return
    const unchanged = await send(path, { headers: { 'if-none-match': etag } })
    assert.equal(unchanged.status, 304)
    assertNosniff(unchanged)
  })
}

test('an event stream has nosniff', async (t) => {
  const app = await startApp(t)

  const { answer } = await followEvents(t, app)

  assert.equal(answer.headers['x-content-type-options'], 'nosniff')
})

for (const [what, bytes] of Object.entries({
  'what is no HTTP': 'hello\r\n\r\n',
  'headers that are too large': rawRequest('GET /v1/pets', ['Host: petstore', `X: ${'x'.repeat(10_000)}`]),
  'an address that is too long': rawRequest(`GET /${'x'.repeat(5_000)}`, ['Host: petstore', 'Connection: close']),
  'no Host': rawRequest('GET /v1/pets', ['Connection: close']),
  'a method that nobody knows': rawRequest('FETCH /v1/pets', ['Host: petstore']),
  'a proxy request': rawRequest('CONNECT petstore:443', ['Host: petstore']),
  'a body that is no HTTP': `${rawRequest('POST /v1/pets', ['Host: petstore', 'Transfer-Encoding: chunked'])}zz\r\n`,
})) {
  test(`a response to ${what} has nosniff`, async () => {
    const { sendRaw } = await sharedApp()

    const [answer] = readAnswers(await sendRaw(bytes))

    assert.ok(answer !== undefined && answer.status >= 400)
    assertNosniff(answer)
  })
}

function assertNosniff({ headers }: { headers: Headers }): void {
  assert.equal(headers.get('x-content-type-options'), 'nosniff')
}
