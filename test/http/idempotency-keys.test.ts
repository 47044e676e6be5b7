import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openApiDocument } from '../../src/contract/document/openapi.ts'
import { type Answer, readAnswers, startApp, type TestApp } from '../support/app.ts'
import { assertError } from '../support/error.ts'
import { countAnimals, idOf, rex, sharedApp } from '../support/idempotent-requests.ts'

interface HeaderSchema {
  pattern: string
  minLength: number
  maxLength: number
}

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
      assert.equal(answer.headers.get('invalid-fields'), 'Idempotency-Key')
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
