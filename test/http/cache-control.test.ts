import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ask, json, startSeven } from '../support/raw-requests.ts'

for (const [name, start, headers, body] of [
  ['a page', 'GET /v1/pets', [], ''],
  ['an animal', 'GET /v1/pets/1', [], ''],
  ['a new animal', 'POST /v1/pets', [json], '{"name":"Rex","categoryId":1}'],
  ['not modified', 'GET /v1/pets', ['If-None-Match: *'], ''],
] as const) {
  test(`a successful response is private and revalidated: ${name}`, async (t) => {
    const app = await startSeven(t)

    const answer = await ask(app, start, headers, body)

    assert.ok(answer.status < 400)
    assert.equal(answer.headers.get('cache-control'), 'private, no-cache')
  })
}

for (const path of ['/openapi.json', '/docs', '/docs/start.js', '/livez', '/readyz', '/metrics']) {
  test(`no response is reused without revalidation: ${path}`, async (t) => {
    const { send } = await startSeven(t)

    const answer = await send(path)

    assert.equal(answer.status, 200)
    assert.match(answer.headers.get('cache-control') ?? '', /no-cache|no-store/)
  })
}
