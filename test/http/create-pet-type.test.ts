import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { type Answer, startApp } from '../support/app.ts'
import { assertError } from '../support/error.ts'
import { json, postRaw, rex } from '../support/create-bodies.ts'

test('createPet accepts application/json in any case, with or without charset utf-8', async (t) => {
  const { create } = await startApp(t)
  const types = [
    'application/json',
    'APPLICATION/JSON',
    'Application/Json',
    'application/json;charset=utf-8',
    'application/json; charset=utf-8',
    'application/json ; charset=utf-8',
    'application/json; charset=UTF-8',
    'application/json; Charset=Utf-8',
    'application/json; charset="utf-8"',
  ]

  for (const type of types) {
    await t.test(type, async () => {
      const answer = await create(rex, { 'content-type': type })

      assert.equal(answer.status, 201, answer.text)
    })
  }
})

test('createPet refuses any other content type', async (t) => {
  const { create } = await startApp(t)
  const types = [
    'text/plain',
    'text/plain;charset=UTF-8',
    'text/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/xml',
    'application/jsonp',
    'application/json5',
    'application/problem+json',
    'application/merge-patch+json',
    'application/octet-stream',
    'application/json; charset=iso-8859-1',
    'application/json; charset=utf-16',
    'application/json; charset=utf-8x',
    'application/json; charset=',
    'application/json; profile=x',
    'application/json, application/json',
    'application/*',
    '*/*',
    'application',
    'json',
    'x',
    '/',
  ]

  for (const type of types) {
    await t.test(type, async () => {
      assertError(await create(rex, { 'content-type': type }), 'unsupported_media_type')
    })
  }
})

test('createPet refuses a body without a content type, or with an empty one', async (t) => {
  const app = await startApp(t)
  const length = `Content-Length: ${rex.length}`

  for (const head of [[length], [length, 'Content-Type:']]) {
    const [answer] = await postRaw(app, head, rex, 'localhost', '')
    assertError(answer as Answer, 'unsupported_media_type')
  }
})

test('createPet refuses a body with a Content-Encoding', async (t) => {
  const { send } = await startApp(t)

  for (const coding of ['gzip', 'GZIP', 'x-gzip', 'deflate', 'br', 'zstd', 'compress', 'gzip, identity', 'unknown']) {
    await t.test(coding, async () => {
      const answer = await send('/v1/pets', {
        method: 'POST',
        headers: { ...json, 'content-encoding': coding },
        body: gzipSync(rex),
      })

      assertError(answer, 'unsupported_media_type')
    })
  }
})

test('the media type is checked before the body', async (t) => {
  const { create } = await startApp(t)

  for (const body of ['{', '', '{"name":""}', 'x'.repeat(70_000)]) {
    assertError(await create(body, { 'content-type': 'text/plain' }), 'unsupported_media_type')
    assertError(await create(body, { 'content-encoding': 'gzip' }), 'unsupported_media_type')
  }
})

test('the key is checked before the media type and the body', async (t) => {
  const { create } = await startApp(t)
  const authorization = 'Bearer wrong'

  assertError(await create('{', { authorization }), 'unauthorized')
  assertError(await create(rex, { authorization, 'content-type': 'text/plain' }), 'unauthorized')
  assertError(await create('x'.repeat(70_000), { authorization }), 'unauthorized')
})
