import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { type Answer, readAnswers, startApp, type TestApp } from '../support/app.ts'
import { assertShortOrLinear } from '../support/cpu-cost.ts'
import { assertError } from '../support/error.ts'

const rex = '{"name":"Rex","categoryId":1}'

const json = { 'content-type': 'application/json' }

test('createPet refuses a body that is not one JSON object', async (t) => {
  const { create } = await startApp(t)
  const bodies = {
    empty: '',
    'white space': ' \r\n\t',
    null: 'null',
    'an empty array': '[]',
    'an array of an animal': `[${rex}]`,
    'a number': '1',
    'an integer beyond a double': '9223372036854775807',
    'a string': '"Rex"',
    'an empty string': '""',
    true: 'true',
    false: 'false',
    'trailing text': `${rex} x`,
    'a trailing object': `${rex}${rex}`,
    'a trailing comma': `${rex},`,
    'a trailing NUL': `${rex}\0`,
    'a leading NUL': `\0${rex}`,
    'a comma before the end': '{"name":"Rex","categoryId":1,}',
    'cut short': rex.slice(0, -1),
    'an opening brace': '{',
    'single quotes': "{'name':'Rex','categoryId':1}",
    'member names without quotes': '{name:"Rex",categoryId:1}',
    'a comment': `/* Rex */${rex}`,
    'a comment inside': '{"name":"Rex",//\n"categoryId":1}',
    undefined: 'undefined',
    NaN: '{"name":"Rex","categoryId":1,"x":NaN}',
    Infinity: '{"name":"Rex","categoryId":1,"x":-Infinity}',
    'a leading zero': '{"name":"Rex","categoryId":01}',
    'a plus sign': '{"name":"Rex","categoryId":+1}',
    'a fraction without digits': '{"name":"Rex","categoryId":1.}',
    'a fraction without a whole': '{"name":"Rex","categoryId":.5}',
    'an exponent without digits': '{"name":"Rex","categoryId":1e}',
    'a hexadecimal number': '{"name":"Rex","categoryId":0x1}',
    'a bigint literal': '{"name":"Rex","categoryId":1n}',
    'a line end inside a string': '{"name":"R\nex","categoryId":1}',
    'a NUL inside a string': '{"name":"R\0ex","categoryId":1}',
    'an unknown escape': '{"name":"\\x41","categoryId":1}',
    'half an escape': '{"name":"\\u00","categoryId":1}',
    'white space that is not of JSON': `\u00a0${rex}`,
    'a form': 'name=Rex&categoryId=1',
    'a BOM alone': '\ufeff',
    'two BOMs': `\ufeff\ufeff${rex}`,
    'a BOM at the end': `${rex}\ufeff`,
  }

  for (const [what, body] of Object.entries(bodies)) {
    await t.test(what, async () => {
      assertError(await create(body), 'invalid_body')
    })
  }
})

test('createPet refuses a missing body', async (t) => {
  const app = await startApp(t)
  const heads = {
    'with a type and no length': ['Content-Type: application/json'],
    'with a type and length 0': ['Content-Type: application/json', 'Content-Length: 0'],
    'with neither': [],
    'with length 0 and no type': ['Content-Length: 0'],
  }

  for (const [what, head] of Object.entries(heads)) {
    await t.test(what, async () => {
      const [answer] = await postRaw(app, head, '', 'localhost', '')

      assertError(answer as Answer, 'invalid_body')
    })
  }
})

test('white space around the object is allowed', async (t) => {
  const { create } = await startApp(t)

  const answer = await create(` \t\r\n${rex}\n\n `)

  assert.equal(answer.status, 201)
})

test('a BOM before the object is ignored', async (t) => {
  const { create } = await startApp(t)

  const answer = await create(`\ufeff${rex}`)

  assert.equal(answer.text, '{"id":1,"name":"Rex","categoryId":1}')
})

test('createPet refuses invalid UTF-8 anywhere in the body', async (t) => {
  const { send } = await startApp(t)
  const sequences = {
    'a byte that never occurs': [0xff],
    'a lone continuation byte': [0x80],
    'a character cut short': [0xe2, 0x82],
    'an overlong slash': [0xc0, 0xaf],
    'an overlong NUL': [0xc0, 0x80],
    'a lone high surrogate': [0xed, 0xa0, 0x80],
    'a lone low surrogate': [0xed, 0xb0, 0x80],
    'a pair of surrogates (CESU-8)': [0xed, 0xa0, 0xbd, 0xed, 0xb0, 0xb6],
    'a code point beyond the last': [0xf4, 0x90, 0x80, 0x80],
    'e with acute in Latin-1': [0xe9],
  }
  const places = {
    'the name': ['{"name":"Rex', '","categoryId":1}'],
    'an ignored member': ['{"name":"Rex","categoryId":1,"x":"', '"}'],
    'a member name': ['{"name":"Rex","categoryId":1,"', '":0}'],
  } as const

  for (const [place, [before, after]] of Object.entries(places)) {
    for (const [what, bytes] of Object.entries(sequences)) {
      await t.test(`${what} in ${place}`, async () => {
        const body = Buffer.concat([Buffer.from(before), Buffer.from(bytes), Buffer.from(after)])
        const answer = await send('/v1/pets', { method: 'POST', headers: json, body })

        assertError(answer, 'invalid_body')
      })
    }
  }
})

test('createPet refuses a body in UTF-16', async (t) => {
  const { send } = await startApp(t)

  for (const start of ['', '\ufeff']) {
    const body = Buffer.from(start + rex, 'utf16le')
    assertError(await send('/v1/pets', { method: 'POST', headers: json, body }), 'invalid_body')
  }
})

test('createPet refuses lone surrogates anywhere in the body', async (t) => {
  const { create } = await startApp(t)
  const escapes = {
    'a high one': '\\ud800',
    'a high one in capitals': '\\uDBFF',
    'a low one': '\\udc00',
    'a pair in the wrong order': '\\udc36\\ud83d',
    'a high one before a letter': '\\ud83dx',
    'two high ones before a low one': '\\ud83d\\ud83d\\udc36',
  }
  const places = {
    'the name': ['{"name":"Rex', '","categoryId":1}'],
    'the status': ['{"name":"Rex","categoryId":1,"status":"sold', '"}'],
    'an ignored member': ['{"x":"', '","name":"Rex","categoryId":1}'],
    'the depth of an ignored member': ['{"x":[{"y":["', '"]}],"name":"Rex","categoryId":1}'],
    'a member name': ['{"', '":0,"name":"Rex","categoryId":1}'],
    'a member name in the depth': ['{"x":[{"', '":0}],"name":"Rex","categoryId":1}'],
  } as const

  for (const [place, [before, after]] of Object.entries(places)) {
    for (const [what, escape] of Object.entries(escapes)) {
      await t.test(`${what} in ${place}`, async () => {
        assertError(await create(before + escape + after), 'invalid_body')
      })
    }
  }
})

test('a pair of escaped surrogates is one character', async (t) => {
  const { create } = await startApp(t)

  const answer = await create('{"name":"\\ud83d\\uDC36","categoryId":1}')

  assert.equal(answer.text, '{"id":1,"name":"🐶","categoryId":1}')
})

test('an escaped backslash before ud800 is text, not a surrogate', async (t) => {
  const { create } = await startApp(t)

  const answer = await create('{"name":"\\\\ud800","categoryId":1}')

  assert.equal(answer.status, 201)
  assert.deepEqual(answer.body, { id: 1, name: '\\ud800', categoryId: 1 })
})

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

async function postRaw(
  { sendRaw, key }: TestApp,
  headers: readonly string[],
  body: string | Buffer,
  host = 'localhost',
  type = 'Content-Type: application/json\r\n',
): Promise<Answer[]> {
  const head = [`Host: ${host}`, 'Connection: close', `Authorization: Bearer ${key}`, ...headers].join('\r\n')
  return readAnswers(
    await sendRaw(Buffer.concat([Buffer.from(`POST /v1/pets HTTP/1.1\r\n${type}${head}\r\n\r\n`), Buffer.from(body)])),
  )
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
