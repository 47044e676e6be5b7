import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openStorage } from '../../src/storage/open.ts'
import { startApp } from '../support/app.ts'
import { engines, sqlite } from '../support/engines.ts'
import { assertError } from '../support/error.ts'
import { countAnimals, day, idOf, rex, tom } from '../support/idempotent-requests.ts'

for (const engine of engines) {
  test(`${engine.name}: the same key and body replay the first response and add nothing`, async (t) => {
    const { create, send } = await startApp(t, { engine })
    const body = '{"name":"🐶 Re\\u0301x","categoryId":-9007199254740993,"status":"sold"}'
    const first = await create(body, { 'idempotency-key': 'a' })
    await create(tom)

    const again = await create(body, { 'idempotency-key': 'a' })

    assert.equal(first.headers.get('idempotent-replayed'), null)
    assert.equal(again.status, 201)
    assert.equal(again.headers.get('idempotent-replayed'), 'true')
    assert.equal(again.text, first.text)
    for (const name of ['location', 'content-type', 'cache-control'])
      assert.equal(again.headers.get(name), first.headers.get(name), name)
    assert.equal(await countAnimals(send), 2)
  })
}

test('a response is replayed any number of times', async (t) => {
  const { create, send } = await startApp(t)

  const answers = []
  for (let count = 0; count < 5; count++) answers.push(await create(rex, { 'idempotency-key': 'a' }))

  assert.deepEqual(new Set(answers.map(({ text }) => text)), new Set(['{"id":1,"name":"Rex","categoryId":1}']))
  assert.deepEqual(
    answers.map(({ headers }) => headers.get('idempotent-replayed')),
    [null, 'true', 'true', 'true', 'true'],
  )
  assert.equal(await countAnimals(send), 1)
})

test('without a key, or with different keys, the same body adds an animal each time', async (t) => {
  const { create } = await startApp(t)

  const answers = [
    await create(rex),
    await create(rex),
    await create(rex, { 'idempotency-key': 'a' }),
    await create(rex, { 'idempotency-key': 'A' }),
    await create(rex, { 'idempotency-key': 'b' }),
  ]

  assert.deepEqual(answers.map(idOf), [1, 2, 3, 4, 5])
})

test('a key in quotes is the same as the bare one', async (t) => {
  const { create } = await startApp(t)
  const keys: Record<string, string> = {
    '8e03978e-40d5-43dd-bc93-6894a57f9324': '"8e03978e-40d5-43dd-bc93-6894a57f9324"',
    'with a space': '"with a space"',
    'with \\ and " inside': '"with \\\\ and \\" inside"',
    'with, comma; and = too': '"with, comma; and = too"',
  }

  for (const [bare, quoted] of Object.entries(keys)) {
    await t.test(quoted, async () => {
      const first = await create(rex, { 'idempotency-key': bare })
      const again = await create(rex, { 'idempotency-key': quoted })

      assert.equal(first.status, 201)
      assert.equal(again.headers.get('idempotent-replayed'), 'true')
      assert.equal(again.text, first.text)
    })
  }
})

test('the same key with another body is a mismatch and adds nothing', async (t) => {
  const { create, send } = await startApp(t)
  await create('{"name":"Rex","categoryId":1,"status":"sold"}', { 'idempotency-key': 'a' })
  const others = [
    '{"name":"Tom","categoryId":1,"status":"sold"}',
    '{"name":"rex","categoryId":1,"status":"sold"}',
    '{"name":"Rex ","categoryId":1,"status":"sold"}',
    '{"name":"Rex","categoryId":2,"status":"sold"}',
    '{"name":"Rex","categoryId":-1,"status":"sold"}',
    '{"name":"Rex","categoryId":1,"status":"pending"}',
    '{"name":"Rex","categoryId":1}',
  ]

  for (const other of others) {
    await t.test(other, async () => {
      assertError(await create(other, { 'idempotency-key': 'a' }), 'idempotency_mismatch')
    })
  }
  assert.equal(await countAnimals(send), 1)
})

test('categoryIds that differ beyond double precision are different bodies', async (t) => {
  const { create } = await startApp(t)
  await create('{"name":"Rex","categoryId":9007199254740992}', { 'idempotency-key': 'a' })

  const answer = await create('{"name":"Rex","categoryId":9007199254740993}', { 'idempotency-key': 'a' })

  assertError(answer, 'idempotency_mismatch')
})

test('a mismatch does not discard the first response', async (t) => {
  const { create } = await startApp(t)
  const first = await create(rex, { 'idempotency-key': 'a' })
  await create(tom, { 'idempotency-key': 'a' })

  const again = await create(rex, { 'idempotency-key': 'a' })

  assert.equal(again.text, first.text)
})

test('Idempotency-Keys are scoped to the API key', async (t) => {
  const { create, makeKey } = await startApp(t)
  const { secret } = await makeKey()
  const headers = { 'idempotency-key': 'a' }
  const theirs = { ...headers, authorization: `Bearer ${secret}` }

  const first = await create(rex, headers)
  const other = await create(rex, theirs)
  const otherBody = await create(tom, { ...theirs, 'idempotency-key': 'b' })
  const [again, otherAgain] = [await create(rex, headers), await create(rex, theirs)]

  assert.deepEqual([first, other, otherBody].map(idOf), [1, 2, 3])
  assert.equal(other.headers.get('idempotent-replayed'), null)
  assert.deepEqual([again, otherAgain].map(idOf), [1, 2])
})

test('a refused request is not remembered', async (t) => {
  const { create } = await startApp(t)
  const refused: Record<string, [string, Record<string, string>]> = {
    'invalid values': ['{"name":"","categoryId":1}', {}],
    'no JSON': ['{', {}],
    'another media type': [rex, { 'content-type': 'text/plain' }],
    'too large': [`{"name":"Rex","categoryId":1,"pad":"${'x'.repeat(65_536)}"}`, {}],
    'a coded body': [rex, { 'content-encoding': 'gzip' }],
  }

  for (const [what, [body, headers]] of Object.entries(refused)) {
    await t.test(what, async () => {
      const key = { 'idempotency-key': what }
      const refusal = await create(body, { ...headers, ...key })
      const answer = await create(tom, key)

      assert.ok(refusal.status >= 400)
      assert.equal(answer.status, 201)
      assert.equal(answer.headers.get('idempotent-replayed'), null)
    })
  }
})

test('a key expires after 24 hours', async (t) => {
  const start = Date.UTC(2027, 0, 1)
  let now = start
  const { create } = await startApp(t, { clock: () => now })
  const headers = { 'idempotency-key': 'a' }
  const first = await create(rex, headers)

  now = start + day - 1
  const late = await create(rex, headers)
  const lateMismatch = await create(tom, headers)
  now = start + day + 1
  const tooLate = await create(tom, headers)
  const again = await create(tom, headers)

  assert.equal(late.text, first.text)
  assertError(lateMismatch, 'idempotency_mismatch')
  assert.equal(tooLate.text, '{"id":2,"name":"Tom","categoryId":1}')
  assert.equal(tooLate.headers.get('idempotent-replayed'), null)
  assert.equal(again.text, tooLate.text)
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
})

test('a replay does not extend the 24 hours', async (t) => {
  let now = Date.UTC(2027, 0, 1)
  const { create } = await startApp(t, { clock: () => now })
  const headers = { 'idempotency-key': 'a' }
  await create(rex, headers)
  now += day / 2 + 1
  await create(rex, headers)

  now += day / 2 + 1
  const answer = await create(rex, headers)

  assert.equal(idOf(answer), 2)
})

test('deleting expired keys keeps younger ones', async (t) => {
  let now = Date.UTC(2027, 0, 1)
  const { create } = await startApp(t, { clock: () => now })
  for (const key of ['a', 'b', 'c']) await create(rex, { 'idempotency-key': key })
  now += day / 2
  const young = await create(rex, { 'idempotency-key': 'young' })

  now += day / 2 + 1
  const fresh = []
  for (const key of ['d', 'e', 'c']) fresh.push(await create(rex, { 'idempotency-key': key }))
  const again = await create(rex, { 'idempotency-key': 'young' })

  assert.deepEqual(fresh.map(idOf), [5, 6, 7])
  assert.equal(again.text, young.text)
})

test('a response is replayed after a restart', async (t) => {
  const url = await sqlite.url(t)
  const before = await openStorage(url)
  const { create, key } = await startApp(t, { storage: before })
  const headers = { 'idempotency-key': 'a', authorization: `Bearer ${key}` }
  const first = await create(rex, headers)
  await before.close()

  const after = await openStorage(url)
  t.after(() => after.close())
  const restarted = await startApp(t, { storage: after })
  const again = await restarted.create(rex, headers)
  const other = await restarted.create(tom, headers)

  assert.equal(first.status, 201)
  assert.equal(again.text, first.text)
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
  assertError(other, 'idempotency_mismatch')
  assert.equal(await countAnimals(restarted.send), 1)
})
