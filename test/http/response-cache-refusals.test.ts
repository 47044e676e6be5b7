import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../support/app.ts'
import { warm } from '../support/cached-responses.ts'

test('the response cache refuses a revoked key at once', async (t) => {
  const app = await startApp(t)
  const { id, secret } = await app.makeKey()
  const headers = { authorization: `Bearer ${secret}` }
  for (let count = 0; count < 3; count++) assert.equal((await app.send('/v1/pets', { headers })).status, 200)

  await app.storage.keys.revoke(id, Date.now())

  assert.equal((await app.send('/v1/pets', { headers })).status, 401)
})

test('the response cache refuses an expired key at once', async (t) => {
  let now = 1_000
  const app = await startApp(t, { clock: () => now })
  const { secret } = await app.makeKey({ expiresAt: 2_000 })
  const headers = { authorization: `Bearer ${secret}` }
  for (let count = 0; count < 3; count++) assert.equal((await app.send('/v1/pets', { headers })).status, 200)

  now = 2_000

  assert.equal((await app.send('/v1/pets', { headers })).status, 401)
})

for (const [name, authorization] of [
  ['no key', undefined],
  ['an unknown key', 'Bearer unknown'],
  ['another scheme', 'Basic abc'],
] as const) {
  test(`the response cache refuses ${name}`, async (t) => {
    const app = await startApp(t)
    await warm(app, '/v1/pets')

    const response = await fetch(
      `${app.origin}/v1/pets`,
      authorization === undefined ? {} : { headers: { authorization } },
    )

    assert.equal(response.status, 401)
  })
}

for (const [name, header] of [
  ['two Authorization headers', 'Authorization: Bearer other\r\n'],
  ['two Host headers', 'Host: other\r\n'],
  ['an unknown expectation', 'Expect: tea\r\n'],
] as const) {
  test(`a request with ${name} is refused although its response is in memory`, async (t) => {
    const app = await startApp(t)
    const { host } = new URL(app.origin)
    await warm(app, '/v1/pets')

    const answer = await app.sendRaw(
      `GET /v1/pets HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${app.key}\r\n${header}Connection: close\r\n\r\n`,
    )

    assert.match(answer, /^HTTP\/1\.1 4/)
  })
}
