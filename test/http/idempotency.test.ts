import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { test, type TestContext } from 'node:test'
import { openApiDocument } from '../../src/contract/document/openapi.ts'
import { unavailable } from '../../src/inventory/errors.ts'
import type { Pets } from '../../src/inventory/pets.ts'
import { openStorage } from '../../src/storage/open.ts'
import { type Answer, readAnswers, shareApp, startApp, startAppOn, type TestApp } from '../support/app.ts'
import { engines, sqlite, sqliteInMemory } from '../support/engines.ts'
import { assertError } from '../support/error.ts'

const rex = '{"name":"Rex","categoryId":1}'
const tom = '{"name":"Tom","categoryId":1}'
const sharedApp = shareApp()
const day = 24 * 60 * 60 * 1000

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

test('while the first request is in flight, the same key is a conflict', async (t) => {
  const { create, send, lock, release } = await startWithLock(t)
  const headers = { 'idempotency-key': 'a' }
  lock()

  const both = [create(rex, headers), create(rex, headers)]
  const refused = await Promise.race(both)
  const otherBody = await create(tom, headers)
  release()
  const answers = await Promise.all(both)
  const after = await create(rex, headers)

  assertError(refused, 'conflict')
  assert.match(refused.headers.get('retry-after') ?? '', /^\d+$/)
  assertError(otherBody, 'conflict')
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([201, 409]))
  assert.equal(after.headers.get('idempotent-replayed'), 'true')
  assert.equal(await countAnimals(send), 1)
})

test('while a request is in flight, other keys and other clients do not get a conflict', async (t) => {
  const { create, makeKey, lock, release } = await startWithLock(t)
  const { secret } = await makeKey()
  lock()
  const both = [create(rex, { 'idempotency-key': 'a' }), create(rex, { 'idempotency-key': '"a"' })]
  assertError(await Promise.race(both), 'conflict')

  const others = [
    create(rex, { 'idempotency-key': 'b' }),
    create(rex, { 'idempotency-key': 'a', authorization: `Bearer ${secret}` }),
    create(rex),
  ]
  release()
  const answers = await Promise.all(others)
  await Promise.all(both)

  assert.deepEqual(
    answers.map(({ status }) => status),
    [201, 201, 201],
  )
})

test('a failed request is not remembered and not in flight', async (t) => {
  const storage = await sqliteInMemory.open(t)
  let broken = true
  const pets: Pets = {
    ...storage.pets,
    create: (pet, idempotencyKey) =>
      broken ? Promise.reject(unavailable('Not now.')) : storage.pets.create(pet, idempotencyKey),
  }
  const { create } = await startApp(t, { storage: { ...storage, pets } })
  const headers = { 'idempotency-key': 'a' }

  const failed = await create(rex, headers)
  broken = false
  const answer = await create(tom, headers)

  assertError(failed, 'unavailable')
  assert.equal(answer.text, '{"id":1,"name":"Tom","categoryId":1}')
  assert.equal(answer.headers.get('idempotent-replayed'), null)
})

test('createPet refuses a key that is not 1 to 255 printable characters', async (t) => {
  const { create, send } = await startApp(t)
  const keys = {
    empty: '',
    'empty in quotes': '""',
    '256 characters': 'x'.repeat(256),
    '256 characters in quotes': `"${'x'.repeat(256)}"`,
    '256 characters that are escaped': `"${'\\"'.repeat(256)}"`,
    'a thousand characters': 'x'.repeat(1000),
    'a tab inside': 'a\tb',
    'a tab inside quotes': '"a\tb"',
    'a letter of Latin-1': 'caf\u00e9',
    'a quote that does not end': '"a',
    'a quote that ends twice': '"a"b"',
    'one quote': '"',
    'an escape of another character': '"a\\b"',
    'an escape of nothing': '"a\\"',
    'a parameter without a name': '"a";',
    'a parameter with a capital letter': '"a";V=1',
    'a parameter without a value': '"a";v=',
    'a parameter with a string that does not end': '"a";v="b',
    'a space before the parameters': '"a" ;v=1',
    'text behind the parameters': '"a";v=1 b',
    'a list': '"a", "b"',
  }

  for (const [what, key] of Object.entries(keys)) {
    await t.test(what, async () => {
      const answer = await create(rex, { 'idempotency-key': key })

      assertError(answer, 'invalid_parameter')
      assert.match((answer.body as { message: string }).message, /Idempotency-Key.*\b1\b.*\b255\b/)
    })
  }
  assert.equal(await countAnimals(send), 0)
})

test('parameters of a quoted key are ignored (RFC 9651)', async (t) => {
  const { create } = await startApp(t)
  const first = await create(rex, { 'idempotency-key': '"abc"' })

  for (const parameters of [
    ';v=1',
    '; v=1',
    ';a;b',
    ';a=?1;b="x;\\"y";c=tok/en:*;d=-1.5;e=:aGk=:;f=@1659578233',
    ';*x_.-*9',
  ]) {
    const answer = await create(rex, { 'idempotency-key': `"abc"${parameters}` })

    assert.equal(answer.headers.get('idempotent-replayed'), 'true', parameters)
    assert.equal(answer.text, first.text)
  }
  assert.equal((await create(rex, { 'idempotency-key': 'abc;v=1' })).headers.get('idempotent-replayed'), null)
})

test('createPet refuses control characters in a key', async (t) => {
  const app = await startApp(t)

  for (const code of [0x00, 0x01, 0x08, 0x0b, 0x1f, 0x7f]) {
    await t.test(`0x${code.toString(16).padStart(2, '0')}`, async () => {
      const answer = await createRaw(app, `a${String.fromCharCode(code)}b`)

      assert.equal(answer.status, 400)
      assertError(answer, (answer.body as { code: 'invalid_request' | 'invalid_parameter' }).code)
    })
  }
  assert.equal(await countAnimals(app.send), 0)
})

test('createPet accepts any key of 1 to 255 printable characters', async (t) => {
  const { create } = await startApp(t)
  const printable = String.fromCharCode(...Array.from({ length: 0x7f - 0x21 }, (_, index) => 0x21 + index))
  const keys = {
    'one character': 'x',
    'one character in quotes': '"y"',
    '255 characters': 'x'.repeat(255),
    '255 characters in quotes': `"${'y'.repeat(255)}"`,
    '255 characters that are escaped': `"${'\\"'.repeat(255)}"`,
    'all that can be printed': printable,
    'a space in quotes': '" "',
    'a quote inside': 'a"b',
  }

  for (const [what, key] of Object.entries(keys)) {
    await t.test(what, async () => {
      const first = await create(rex, { 'idempotency-key': key })
      const again = await create(rex, { 'idempotency-key': key })

      assert.equal(first.status, 201, first.text)
      assert.equal(first.headers.get('idempotent-replayed'), null)
      assert.equal(again.text, first.text)
      assert.equal(again.headers.get('idempotent-replayed'), 'true')
    })
  }
})

test('keys with the same beginning are different', async (t) => {
  const { create } = await startApp(t)

  const first = await create(rex, { 'idempotency-key': 'x'.repeat(255) })
  const second = await create(rex, { 'idempotency-key': 'x'.repeat(254) })

  assert.deepEqual([idOf(first), idOf(second)], [1, 2])
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

test('two services on one file create one animal for one key', async (t) => {
  const url = await sqlite.url(t)
  const [one, two] = [await startAppOn(t, url), await startAppOn(t, url)]
  const headers = { 'idempotency-key': 'a', authorization: `Bearer ${one.key}` }

  const answers = await Promise.all([one.create(rex, headers), two.create(rex, headers)])

  assert.deepEqual(answers.map(idOf), [1, 1])
  assert.deepEqual(new Set(answers.map((answer) => answer.headers.get('idempotent-replayed'))), new Set([null, 'true']))
  assert.equal(await countAnimals(two.send), 1)
})

for (const engine of engines) {
  test(`${engine.name}: 50 concurrent requests with one key create exactly one animal`, async (t) => {
    const { create, send } = await startApp(t, { engine })

    const answers = await Promise.all(Array.from({ length: 50 }, () => create(rex, { 'idempotency-key': 'a' })))

    const created = answers.filter(({ status }) => status === 201)
    for (const answer of answers.filter(({ status }) => status !== 201)) assertError(answer, 'conflict')
    assert.deepEqual(new Set(created.map(idOf)), new Set([1]))
    assert.equal(created.filter(({ headers }) => headers.get('idempotent-replayed') === null).length, 1)
    assert.equal(await countAnimals(send), 1)
  })
}

/** The service on a database file whose write lock the test can hold, so that writes wait. */
async function startWithLock(t: TestContext) {
  const url = await sqlite.url(t)
  const storage = await openStorage(url)
  const app = await startApp(t, { storage })
  const db = new DatabaseSync(url.slice('sqlite:'.length), { timeout: 5000 })
  t.after(async () => {
    db.close()
    await storage.close()
  })
  return { ...app, lock: () => db.exec('BEGIN IMMEDIATE'), release: () => db.exec('ROLLBACK') }
}

async function createRaw({ sendRaw, key }: TestApp, idempotencyKey: string): Promise<Answer> {
  const lines = [
    'POST /v1/pets HTTP/1.1',
    'Host: localhost',
    'Connection: close',
    `Authorization: Bearer ${key}`,
    'Content-Type: application/json',
    `Content-Length: ${rex.length}`,
    `Idempotency-Key: ${idempotencyKey}`,
  ]
  const [answer] = readAnswers(await sendRaw(`${lines.join('\r\n')}\r\n\r\n${rex}`))
  assert.ok(answer)
  return answer
}

async function countAnimals(send: TestApp['send']): Promise<number> {
  const { headers } = await send('/v1/pets', { headers: { prefer: 'count=exact' } })
  return Number(headers.get('x-total-count'))
}

function idOf(answer: Answer): number {
  return (answer.body as { id: number }).id
}

for (const [header, isAccepted] of [
  ['plain', true],
  ['a "b" c', true],
  ['"quoted"', true],
  ['"with \\"escapes\\""', true],
  ['"quoted";v=1;a="b"', true],
  ['"quoted"; v; *a=?1', true],
  [`"${'x'.repeat(255)}"`, true],
  [`"${'\\"'.repeat(255)}"`, true],
  ['x'.repeat(255), true],
  ['"', false],
  ['""', false],
  ['"";v=1', false],
  ['"open', false],
  ['"open\\"', false],
  ['"a\\b"', false],
  ['"a";', false],
  ['"a";;', false],
  ['"a";V=1', false],
  ['"a";v=', false],
  ['"a" ;v', false],
  ['"a"b', false],
  ['\u00e9', false],
  ['x'.repeat(256), false],
  ['x'.repeat(300), false],
  [`"${'x'.repeat(256)}"`, false],
  [`"a";v="${'x'.repeat(1024)}"`, false],
] as const) {
  test(`the document and the service agree on Idempotency-Key: ${header.slice(0, 30)} (${header.length})`, async () => {
    const { create } = await sharedApp()
    const { pattern, minLength, maxLength } = headerSchema('createPet', 'Idempotency-Key')

    const { status } = await create(rex, { 'idempotency-key': header })

    assert.equal(status, isAccepted ? 201 : 400)
    const isValid = header.length >= minLength && header.length <= maxLength && new RegExp(pattern, 'u').test(header)
    assert.equal(isValid, isAccepted)
  })
}

/** The schema of a header in the document. */
function headerSchema(operationId: string, name: string) {
  const { paths } = openApiDocument({
    environment: 'production',
    baseUrls: {},
    minStability: 'experimental',
  }) as unknown as {
    paths: Record<string, Record<string, { operationId: string; parameters: { name: string; schema: HeaderSchema }[] }>>
  }
  const operation = Object.values(paths)
    .flatMap((path) => Object.values(path))
    .find((candidate) => candidate.operationId === operationId)
  return operation?.parameters.find((parameter) => parameter.name === name)?.schema as HeaderSchema
}

interface HeaderSchema {
  pattern: string
  minLength: number
  maxLength: number
}
