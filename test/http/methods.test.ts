import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shareApp } from '../support/app.ts'
import { assertError } from '../support/error.ts'
import { ask, startSeven } from '../support/raw-requests.ts'

const sharedApp = shareApp()

/** Those headers that belong to what was asked for, not to the moment or to the connection. */
function lasting(headers: Headers): [string, string][] {
  return [...headers].filter(([name]) => !['date', 'x-request-id', 'connection', 'keep-alive'].includes(name))
}

for (const path of [
  '/v1/pets',
  '/v1/pets?limit=2',
  '/v1/pets/1',
  '/v1/store/orders',
  '/v1/categories',
  '/v1/events',
  '/v1/events?limit=2',
  '/livez',
  '/readyz',
  '/openapi.json',
  '/asyncapi.json',
  '/docs',
  '/docs/start.js',
  '/',
  '/console/main.js',
  '/console/key',
  '/metrics',
]) {
  test(`HEAD works wherever GET does, with the same headers and no body: ${path}`, async (t) => {
    const { send } = await startSeven(t)
    await send(path)
    await send(path)
    const get = await send(path)

    const head = await send(path, { method: 'HEAD' })

    assert.ok(get.status < 400)
    assert.equal(head.status, get.status)
    assert.deepEqual(lasting(head.headers), lasting(get.headers))
    assert.equal(head.text, '')
  })
}

for (const path of [
  '/v1/pets?limit=0',
  '/v1/pets/999',
  '/v1/store/orders?status=x',
  '/v1/events?after=x',
  '/v1/nope',
  '/nope',
]) {
  test(`HEAD gets the error status of GET, without a body: ${path}`, async (t) => {
    const { send } = await startSeven(t)
    const get = await send(path)

    const head = await send(path, { method: 'HEAD' })

    assert.ok(get.status >= 400)
    assert.equal(head.status, get.status)
    assert.deepEqual(lasting(head.headers), lasting(get.headers))
    assert.equal(head.text, '')
  })
}

const allowed = {
  '/v1/pets': 'GET, HEAD, OPTIONS, POST',
  '/v1/pets/1': 'DELETE, GET, HEAD, OPTIONS, PATCH',
  '/v1/pets/999': 'DELETE, GET, HEAD, OPTIONS, PATCH',
  '/v1/pets/import': 'OPTIONS, POST',
  '/v1/pets/export': 'GET, HEAD, OPTIONS',
  '/v1/store/orders': 'GET, HEAD, OPTIONS, POST',
  '/v1/store/orders/1': 'GET, HEAD, OPTIONS, PATCH',
  '/v1/categories': 'GET, HEAD, OPTIONS, POST',
  '/v1/events': 'GET, HEAD, OPTIONS',
  '/livez': 'GET, HEAD, OPTIONS',
  '/readyz': 'GET, HEAD, OPTIONS',
  '/openapi.json': 'GET, HEAD, OPTIONS',
  '/asyncapi.json': 'GET, HEAD, OPTIONS',
  '/docs': 'GET, HEAD, OPTIONS',
}

for (const [path, allow] of Object.entries(allowed)) {
  test(`a wrong method is refused with Allow: PUT ${path}`, async () => {
    const app = await sharedApp()

    const answer = await ask(app, `PUT ${path}`)

    assertError(answer, 'method_not_allowed')
    assert.equal(answer.headers.get('allow'), allow)
  })

  test(`OPTIONS returns the methods of the path: ${path}`, async () => {
    const app = await sharedApp()

    const answer = await ask(app, `OPTIONS ${path}`)

    assert.equal(answer.status, 204)
    assert.equal(answer.headers.get('allow'), allow)
    assert.equal(answer.text, '')
  })
}

for (const path of ['/v1/pets/import', '/v1/pets/%69mport', '/v1/pets/export'] as const) {
  test(`a path of its own has none of the methods of an animal: ${path}`, async () => {
    const app = await sharedApp()
    const own = path === '/v1/pets/export' ? 'export' : 'import'
    const allow = allowed[`/v1/pets/${own}`]

    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
      if (allow.split(', ').includes(method)) continue
      const answer = await ask(app, `${method} ${path}`)
      assertError(answer, 'method_not_allowed')
      assert.equal(answer.headers.get('allow'), allow, method)
      assert.equal(answer.headers.get('deprecation'), null, method)
    }
    assert.equal((await app.send(path, { method: 'HEAD' })).status, own === 'export' ? 200 : 405)
  })
}

for (const [path, types] of [
  ['/v1/pets/1', 'application/merge-patch+json, application/json'],
  ['/v1/store/orders/1', 'application/merge-patch+json, application/json'],
  ['/v1/pets', null],
  ['/v1/categories/1', null],
] as const) {
  test(`OPTIONS of a path with PATCH has Accept-Patch: ${path}`, async () => {
    const { send } = await sharedApp()

    const answer = await send(path, { method: 'OPTIONS' })

    assert.equal(answer.headers.get('accept-patch'), types)
  })
}

for (const method of ['POST', 'PATCH']) {
  test(`a category allows only GET, PUT and DELETE: ${method}`, async () => {
    const app = await sharedApp()

    const answer = await ask(app, `${method} /v1/categories/1`)

    assertError(answer, 'method_not_allowed')
    assert.equal(answer.headers.get('allow'), 'DELETE, GET, HEAD, OPTIONS, PUT')
  })
}

for (const method of ['PATCH', 'DELETE', 'TRACE', 'PROPFIND', 'PURGE', 'QUERY', 'M-SEARCH']) {
  test(`every wrong method is refused with Allow: ${method}`, async () => {
    const app = await sharedApp()

    const answer = await ask(app, `${method} /v1/pets`)

    assertError(answer, 'method_not_allowed')
    assert.equal(answer.headers.get('allow'), allowed['/v1/pets'])
  })
}

for (const start of ['PUT /v1/pets?limit=1', 'PUT /v1/%70ets', 'PUT http://petstore/v1/pets']) {
  test(`an unknown method is refused with Allow however the path is spelled: ${start}`, async () => {
    const app = await sharedApp()

    const answer = await ask(app, start)

    assertError(answer, 'method_not_allowed')
    assert.equal(answer.headers.get('allow'), allowed['/v1/pets'])
  })
}

for (const method of ['FOO', 'get']) {
  test(`a nonstandard method is refused with Allow: ${method}`, async () => {
    const app = await sharedApp()

    const answer = await ask(app, `${method} /v1/pets`)

    assertError(answer, 'method_not_allowed')
    assert.equal(answer.headers.get('allow'), allowed['/v1/pets'])
  })
}
