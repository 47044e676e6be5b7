import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Answer, rawRequest, readAnswers, shareApp, type TestApp } from '../support/app.ts'
import { ask, json, listRepeatedly, startSeven } from '../support/raw-requests.ts'

const sharedApp = shareApp()

const everyKind: Record<string, (app: TestApp) => Promise<Answer>> = {
  'a page': (app) => ask(app, 'GET /v1/pets'),
  'a page from memory': (app) => listRepeatedly(app).then(() => ask(app, 'GET /v1/pets')),
  'an animal': (app) => ask(app, 'GET /v1/pets/1'),
  'a new animal': (app) => ask(app, 'POST /v1/pets', [json], '{"name":"Rex","categoryId":1}'),
  'a changed animal': (app) => ask(app, 'PATCH /v1/pets/1', [json], '{"name":"Rex"}'),
  'a removed animal': async (app) => {
    const [pet] = (await app.send('/v1/pets?limit=1')).body as { id: number }[]
    return ask(app, `DELETE /v1/pets/${pet?.id}`)
  },
  orders: (app) => ask(app, 'GET /v1/store/orders'),
  'a category': (app) => ask(app, 'PUT /v1/categories/1', [json], '{"name":"Dogs"}'),
  events: (app) => ask(app, 'GET /v1/events'),
  'not modified': (app) => ask(app, 'GET /v1/pets', ['If-None-Match: *']),
  'a HEAD': (app) => app.send('/v1/pets', { method: 'HEAD' }),
  'an OPTIONS': (app) => ask(app, 'OPTIONS /v1/pets'),
  health: (app) => ask(app, 'GET /livez'),
  'the document': (app) => ask(app, 'GET /openapi.json'),
  'the reference page': (app) => ask(app, 'GET /docs'),
  'a redirect': (app) => ask(app, 'GET /'),
  'an error': (app) => ask(app, 'GET /v1/nope'),
  'a broken escape': (app) => ask(app, 'GET /v1/%zz'),
  'a long address': (app) => ask(app, `GET /v1/${'a'.repeat(5_000)}`),
  'an unknown expectation': (app) => ask(app, 'GET /v1/pets', ['Expect: tea']),
  'a body that is too large': (app) => ask(app, 'POST /v1/pets', [json, 'Content-Length: 65537']),
  'a proxy request': (app) => ask(app, 'CONNECT petstore.example:443'),
  'malformed HTTP': (app) => ask(app, 'GET /v1/pets', ['colon']),
}

for (const [name, answerOf] of Object.entries(everyKind)) {
  test(`every response has a unique X-Request-Id: ${name}`, async (t) => {
    const app = await startSeven(t)

    const ids = [await answerOf(app), await answerOf(app)].map(({ headers }) => headers.get('x-request-id') ?? '')

    assert.match(ids[0] as string, /^\S+$/)
    assert.notEqual(ids[0], ids[1])
  })
}

for (const id of ['a', 'order-7/retry.2', 'b7ad6b7169203331', 'Zm9v+/==', 'user@host:7', 'x'.repeat(128)]) {
  test(`a valid X-Request-Id of the client is returned: ${id}`, async () => {
    const app = await sharedApp()
    await listRepeatedly(app)

    const answers = [
      await ask(app, 'GET /v1/pets', [`X-Request-Id: ${id}`]),
      await ask(app, 'GET /v1/nope', [`X-Request-Id: ${id}`]),
      await ask(app, 'GET /v1/%zz', [`X-Request-Id: ${id}`]),
    ]

    assert.deepEqual(
      answers.map(({ headers }) => headers.get('x-request-id')),
      [id, id, id],
    )
  })
}

for (const [name, start, headers, rest] of [
  ['a proxy request', 'CONNECT petstore.example:443', [], ''],
  ['a broken chunk', 'POST /v1/pets', [json, 'Transfer-Encoding: chunked'], 'zz\r\n'],
] as const) {
  test(`a valid X-Request-Id is returned with transport errors after the headers: ${name}`, async () => {
    const app = await sharedApp()
    const proper = ['Host: petstore', 'Connection: close', `Authorization: Bearer ${app.key}`, 'X-Request-Id: mine']

    const raw = await app.sendRaw(rawRequest(start, [...proper, ...headers]) + rest)

    assert.equal(readAnswers(raw)[0]?.headers.get('x-request-id'), 'mine')
  })
}

for (const [name, headers] of Object.entries({
  empty: ['X-Request-Id:'],
  'too long': [`X-Request-Id: ${'x'.repeat(129)}`],
  'with a space': ['X-Request-Id: a b'],
  'with a comma': ['X-Request-Id: a,b'],
  'with markup': ['X-Request-Id: <script>'],
  'with quotes': ['X-Request-Id: "a"'],
  'not ASCII': ['X-Request-Id: clé'],
  'given twice': ['X-Request-Id: a', 'X-Request-Id: b'],
  'with an API key': ['X-Request-Id: a-pet_test_k3J9x2'],
  'with an invitation': ['X-Request-Id: pet_invite_k3J9x2'],
  'with the secret of a webhook': ['X-Request-Id: whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
  'with the key of a sandbox': ['X-Request-Id: sandbox_my-shop'],
})) {
  test(`an invalid X-Request-Id is replaced: ${name}`, async () => {
    const app = await sharedApp()
    await listRepeatedly(app)

    const answer = await ask(app, 'GET /v1/pets', headers)

    assert.equal(answer.status, 200)
    assert.match(answer.headers.get('x-request-id') ?? '', /^[0-9a-f]{12}-[0-9a-z]+$/)
  })
}
