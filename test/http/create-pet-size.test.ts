import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Answer, startApp, type TestApp } from '../support/app.ts'
import { assertShortOrLinear } from '../support/cpu-cost.ts'
import { assertError } from '../support/error.ts'
import { postRaw, rex } from '../support/create-bodies.ts'

test('a body of exactly 64 KiB is accepted', async (t) => {
  const { create } = await startApp(t)

  for (const character of ['x', 'é', '🐶']) {
    await t.test(`padded with ${character}`, async () => {
      const answer = await create(padded(64 * 1024, character))

      assert.equal(answer.status, 201)
    })
  }
})

test('a body larger than 64 KiB is refused', async (t) => {
  const { create } = await startApp(t)

  for (const character of ['x', 'é', '🐶']) {
    await t.test(`padded with ${character}`, async () => {
      const answer = await create(padded(64 * 1024 + 1, character))

      assertError(answer, 'payload_too_large')
      assert.match(messageOf(answer), /\b64 KiB\b/)
    })
  }
})

test('a chunked body has the same size limit', async (t) => {
  const app = await startApp(t)

  const [accepted] = await postChunked(app, padded(64 * 1024), 4096)
  const [refused] = await postChunked(app, padded(64 * 1024 + 1), 4096)

  assert.equal(accepted?.status, 201)
  assertError(refused as Answer, 'payload_too_large')
})

test('a chunked body may have chunks of any size', async (t) => {
  const app = await startApp(t)
  const body = '{"name":"🐶 שלום","categoryId":9007199254740993}'

  for (const size of [1, 2, 3, 7, 1000]) {
    await t.test(`chunks of ${size} bytes`, async () => {
      const [answer] = await postChunked(app, body, size)

      assert.equal(answer?.status, 201)
      assert.ok(answer?.text.endsWith(body.slice(1)), answer?.text)
    })
  }
})

test('Expect: 100-continue gets 100, then the animal is added', async (t) => {
  const app = await startApp(t)

  for (const expectation of ['100-continue', '100-Continue']) {
    const answers = await postRaw(app, [`Content-Length: ${rex.length}`, `Expect: ${expectation}`], rex)
    assert.deepEqual(
      answers.map(({ status }) => status),
      [100, 201],
    )
  }
})

test('deep nesting in an ignored member is no error', async (t) => {
  const { create, failures } = await startApp(t)
  const depth = 30 * 1024
  const values = {
    'arrays that end': '['.repeat(depth) + ']'.repeat(depth),
    'arrays around a fraction': `${'['.repeat(depth)}1.5${']'.repeat(depth)}`,
    'arrays around a surrogate pair': `${'['.repeat(depth)}"\\ud83d\\udc36"${']'.repeat(depth)}`,
    'objects that end': `${'{"":'.repeat(12_000)}0${'}'.repeat(12_000)}`,
    'objects around a fraction': `${'{"":'.repeat(12_000)}1.5${'}'.repeat(12_000)}`,
    'arrays that never end': '['.repeat(2 * depth),
    'objects that never end': '{"":'.repeat(15_000),
  }

  for (const [what, value] of Object.entries(values)) {
    await t.test(what, async () => {
      const answer = await create(`{"name":"Rex","categoryId":1,"x":${value}}`)

      if (answer.status !== 201) assertError(answer, 'invalid_body')
      assert.deepEqual(failures, [])
    })
  }
})

test('every body of 64 KiB is processed fast', async (t) => {
  const { create } = await startApp(t)
  const values: Record<string, (size: number) => string> = {
    'a one, zeros, a one': (size) => `1${'0'.repeat(size)}1`,
    'zeros behind a point, a one': (size) => `0.${'0'.repeat(size)}1`,
    'a one, zeros, an exponent': (size) => `1${'0'.repeat(size)}e-${size}`,
    nines: (size) => '9'.repeat(size),
    'an exponent of many digits': (size) => `1e${'9'.repeat(size)}`,
    'many small numbers': (size) => `[${'1e1,'.repeat(size / 4)}1]`,
    'many surrogates': (size) => `"${'\\ud83d\\udc36'.repeat(size / 12)}"`,
    'one member many times': (size) => `{${'"a":1.5,'.repeat(size / 8)}"a":1}`,
  }

  for (const [what, value] of Object.entries(values)) {
    await t.test(what, () =>
      assertShortOrLinear(64_800, async (size) => {
        const { status } = await create(`{"name":"Rex","categoryId":1,"x":${value(size)}}`)
        assert.equal(status, 201)
      }),
    )
  }
})

test('a long name of white space and NUL is processed fast', async (t) => {
  const { create } = await startApp(t)
  const names: Record<string, (size: number) => string> = {
    'spaces, a NUL': (size) => `${' '.repeat(size)}\0`,
    'letters, a NUL': (size) => `${'x'.repeat(size)}\0`,
    'words, a NUL': (size) => `${' x'.repeat(size / 2)}\0`,
    spaces: (size) => ' '.repeat(size),
    NULs: (size) => '\0'.repeat(size / 8),
  }

  for (const [what, name] of Object.entries(names)) {
    await t.test(what, () =>
      assertShortOrLinear(64_800, async (size) =>
        assertError(await create({ name: name(size), categoryId: 1 }), 'invalid_body'),
      ),
    )
  }
})

/** A valid body of exactly `bytes` bytes: the rest is in a member that is ignored. */
function padded(bytes: number, character = 'x'): string {
  const room = bytes - Buffer.byteLength('{"name":"Rex","categoryId":1,"pad":""}')
  const size = Buffer.byteLength(character)
  const pad = character.repeat(Math.floor(room / size)) + 'x'.repeat(room % size)
  return `{"name":"Rex","categoryId":1,"pad":"${pad}"}`
}

function postChunked(app: TestApp, body: string, size: number): Promise<Answer[]> {
  const bytes = Buffer.from(body)
  const parts: Buffer[] = []
  for (let start = 0; start < bytes.length; start += size) {
    const chunk = bytes.subarray(start, start + size)
    parts.push(Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from('\r\n'))
  }
  return postRaw(app, ['Transfer-Encoding: chunked'], Buffer.concat([...parts, Buffer.from('0\r\n\r\n')]))
}

function messageOf(answer: Answer): string {
  return (answer.body as { message: string }).message
}
