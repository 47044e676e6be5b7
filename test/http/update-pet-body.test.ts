import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { assertError } from '../support/error.ts'
import { mergePatch, startWithRex } from '../support/pet-updates.ts'

test('updatePet refuses a body that is not one JSON object', async (t) => {
  const { update } = await startWithRex(t)

  for (const body of [
    '',
    'null',
    '[]',
    '[{"op":"replace"}]',
    '1',
    '"Rex"',
    'true',
    '{',
    '{} x',
    '{"name":"\\ud800"}',
  ]) {
    await t.test(body, async () => {
      assertError(await update(body), 'invalid_body')
      assertError(await update(body, mergePatch), 'invalid_body')
    })
  }
})

test('updatePet refuses invalid UTF-8', async (t) => {
  const { send } = await startWithRex(t)
  const body = Buffer.from('{"name":"R\xe9x"}', 'latin1')

  const answer = await send('/v1/pets/1', { method: 'PATCH', headers: mergePatch, body })

  assertError(answer, 'invalid_body')
})

test('a BOM before the change is ignored', async (t) => {
  const { update } = await startWithRex(t)

  const answer = await update('\ufeff{"name":"Tom"}')

  assert.equal((answer.body as { name: string }).name, 'Tom')
})

for (const type of [
  'application/json',
  'application/merge-patch+json',
  'Application/Merge-Patch+JSON',
  'application/merge-patch+json; charset=utf-8',
  'application/json; charset="UTF-8"',
]) {
  test(`updatePet accepts ${type}`, async (t) => {
    const { update } = await startWithRex(t)

    const answer = await update({ name: 'Tom' }, { 'content-type': type })

    assert.equal(answer.status, 200, answer.text)
  })
}

for (const type of [
  'text/plain',
  'application/json-patch+json',
  'application/merge-patch',
  'application/merge-patch+jsonx',
  'application/merge-patch+json; charset=latin1',
  'application/x-www-form-urlencoded',
  'application/merge-patch+json or application/json',
]) {
  test(`updatePet refuses ${type} and says what to send`, async (t) => {
    const { update } = await startWithRex(t)

    const answer = await update({ name: 'Tom' }, { 'content-type': type })

    assertError(answer, 'unsupported_media_type')
    assert.match(answer.text, /application\/merge-patch\+json/)
    assert.equal(answer.headers.get('accept-patch'), 'application/merge-patch+json, application/json')
  })
}

test('updatePet refuses a body with a Content-Encoding', async (t) => {
  const { send } = await startWithRex(t)
  const headers = { ...mergePatch, 'content-encoding': 'gzip' }

  const answer = await send('/v1/pets/1', { method: 'PATCH', headers, body: gzipSync('{}') })

  assertError(answer, 'unsupported_media_type')
})

test('a change may have at most 64 KiB', async (t) => {
  const { update } = await startWithRex(t)
  const padded = (size: number) => `{"name":"Tom","pad":"${'x'.repeat(size - 23)}"}`

  const accepted = await update(padded(64 * 1024))
  const refused = await update(padded(64 * 1024 + 1))

  assert.equal(accepted.status, 200, accepted.text)
  assertError(refused, 'payload_too_large')
})
