import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { type Answer, readAnswers, startApp, type TestApp } from '../support/app.ts'
import { assertShortOrLinear } from '../support/cpu-cost.ts'
import { engines } from '../support/engines.ts'
import { assertError } from '../support/error.ts'

const rex = '{"name":"Rex","categoryId":1}'
const json = { 'content-type': 'application/json' }

test('createPet returns 201 with the animal and its new id', async (t) => {
  const { create } = await startApp(t)

  const answer = await create({ name: 'Rex', categoryId: 7, status: 'pending' })

  assert.equal(answer.status, 201)
  assert.equal(answer.headers.get('content-type'), 'application/json')
  assert.equal(answer.text, '{"id":1,"name":"Rex","categoryId":7,"status":"pending"}')
})

test('a new animal can be fetched and listed unchanged', async (t) => {
  const { create, send } = await startApp(t)

  const { text } = await create({ name: 'Rex', categoryId: 7, status: 'pending' })

  assert.equal((await send('/v1/pets/1')).text, text)
  assert.equal((await send('/v1/pets')).text, `[${text}]`)
})

test('Location is the absolute address of the new animal', async (t) => {
  const { create, send, origin } = await startApp(t)
  await create({ name: 'Tom', categoryId: 1 })

  const created = await create({ name: 'Rex', categoryId: 7 })

  const location = created.headers.get('location') ?? ''
  assert.equal(location, `${origin}/v1/pets/2`)
  const { text, headers } = await send(location.slice(origin.length))
  assert.equal(text, created.text)
  assert.equal(headers.get('etag'), created.headers.get('etag'))
})

test('Location starts at the configured base address', async (t) => {
  const { create } = await startApp(t, { baseUrls: { production: 'https://petstore.example/v1' } })

  const answer = await create({ name: 'Rex', categoryId: 7 })

  assert.equal(answer.headers.get('location'), 'https://petstore.example/v1/pets/1')
})

test('Location is relative to the root if the Host header is empty', async (t) => {
  const app = await startApp(t)

  const [answer] = await postRaw(app, [`Content-Length: ${rex.length}`], rex, '')

  assert.equal(answer?.status, 201)
  assert.equal(answer?.headers.get('location'), '/v1/pets/1')
})

test('ids are 1, 2, 3; refused requests use no id', async (t) => {
  const { create } = await startApp(t)

  const ids = []
  for (let count = 0; count < 3; count++) {
    ids.push(((await create(rex)).body as { id: number }).id)
    await create({ name: '', categoryId: 1 })
    await create('{')
  }

  assert.deepEqual(ids, [1, 2, 3])
})

for (const engine of engines) {
  test(`${engine.name}: concurrent requests get different ids`, async (t) => {
    const { create } = await startApp(t, { engine })

    const answers = await Promise.all(Array.from({ length: 30 }, () => create(rex)))

    const ids = answers.map(({ body }) => (body as { id: number }).id).toSorted((a, b) => a - b)
    assert.deepEqual(
      ids,
      Array.from({ length: 30 }, (_, index) => index + 1),
    )
  })
}

test('two animals may share a name', async (t) => {
  const { create } = await startApp(t)

  const first = await create(rex)
  const second = await create(rex)

  assert.equal(first.text, '{"id":1,"name":"Rex","categoryId":1}')
  assert.equal(second.text, '{"id":2,"name":"Rex","categoryId":1}')
})

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

test('name and categoryId are required', async (t) => {
  const { create } = await startApp(t)
  const bodies: Record<string, string[]> = {
    '{"categoryId":1}': ['name'],
    '{"name":"Rex"}': ['categoryId'],
    '{}': ['name', 'categoryId'],
    '{"status":"sold"}': ['name', 'categoryId'],
    '{"Name":"Rex","CategoryId":1}': ['name', 'categoryId'],
    '{"name ":"Rex","category_id":1}': ['name', 'categoryId'],
    '{"pet":{"name":"Rex","categoryId":1}}': ['name', 'categoryId'],
    '{"__proto__":{"name":"Rex","categoryId":1}}': ['name', 'categoryId'],
    '{"__proto__":{"name":"Rex","categoryId":1.0}}': ['name', 'categoryId'],
    '{"constructor":{"prototype":{"name":"Rex","categoryId":1}}}': ['name', 'categoryId'],
  }

  for (const [body, missing] of Object.entries(bodies)) {
    await t.test(body, async () => {
      const answer = await create(body)

      assertError(answer, 'invalid_body')
      for (const field of missing) assert.match(messageOf(answer), new RegExp(`\\b${field}\\b`))
    })
  }
})

test('a message names the field and what is allowed', async (t) => {
  const { create } = await startApp(t)
  const messages: Record<string, RegExp> = {
    '{"categoryId":1}': /\bname is missing\b.*\bstring\b.*\bat least 1\b.*white space.*NUL/,
    '{"name":"","categoryId":1}': /^name must be a string of at least 1 character\.$/,
    '{"name":5,"categoryId":1}': /^name must be a string of at least 1 character\.$/,
    '{"name":" ","categoryId":1}': /^name must be a string that is not only white space\.$/,
    '{"name":"\\ud800","categoryId":1}': /^name must not contain a lone surrogate/,
    '{"name":"Rex","categoryId":1,"x":{"\\udfff":1}}': /lone surrogate/,
    '{"name":"Rex"': /^The body is not valid JSON/,
    '["Rex"]': /^The body must be a JSON object/,
    '': /^The body is missing/,
    '{"name":"a\\u0000","categoryId":1}': /^name must be a string that has no NUL \(U\+0000\)\.$/,
    '{"name":"Rex"}': /\bcategoryId\b.*\binteger\b.*-9223372036854775808 .*\b9223372036854775807\b/,
    '{"name":"Rex","categoryId":1.5}': /\bcategoryId\b.*\binteger\b.*-9223372036854775808 .*\b9223372036854775807\b/,
    '{"name":"Rex","categoryId":1,"status":"lost"}': /\bstatus\b.*\bavailable\b.*\bpending\b.*\bsold\b/,
  }

  for (const [body, message] of Object.entries(messages)) {
    await t.test(body, async () => {
      const answer = await create(body)

      assertError(answer, 'invalid_body')
      assert.match(messageOf(answer), message)
    })
  }
})

test('a message names every wrong field and no other', async (t) => {
  const { create } = await startApp(t)

  const all = await create({ name: 1, categoryId: 'x', status: 'lost' })
  const two = await create({ name: 'Rex', categoryId: 'x', status: 'lost' })

  assert.match(messageOf(all), /\bname\b.*\bcategoryId\b.*\bstatus\b/)
  assert.match(messageOf(two), /\bcategoryId\b.*\bstatus\b/)
  assert.doesNotMatch(messageOf(two), /\bname\b/)
})

const names = {
  'one letter': 'x',
  'as many letters as a body has room for': 'x'.repeat(64 * 1024 - 26),
  'an emoji': '🐶',
  'an emoji of many code points': '👩‍👩‍👧‍👦',
  'a flag': '🏴󠁧󠁢󠁷󠁬󠁳󠁿',
  'fifteen thousand emoji': '🐶'.repeat(15_000),
  'Hebrew, right to left': 'רקס',
  'Arabic with marks': 'ريكسُ',
  'directional overrides': '\u202eRex\u202c',
  'a combining mark': 'Re\u0301x',
  'the same character composed': 'R\u00e9x',
  'a combining mark first': '\u0301x',
  'twenty thousand letters with marks': 'e\u0301'.repeat(20_000),
  'Hangul in parts': '\u1112\u1161\u11ab',
  'a ligature': '\ufb01do',
  'full-width letters': 'Ｒｅｘ',
  'spaces around it': '  Rex  ',
  'a line end inside': 'Rex\r\nthe\tfirst',
  'no-break spaces around it': '\u00a0Rex\u00a0',
  'a BOM around it': '\ufeffRex\ufeff',
  'control characters': '\u0001\u001f\u007f\u009f',
  'quotes and backslashes': '"Rex" \\ \\u0000 / \'x\'',
  'line separators': 'a\u2028b\u2029c',
  'the last code point': '\u{10ffff}',
  noncharacters: '\ufffe\uffff',
  'the replacement character': '\ufffd',
  'a private character': '\ue000',
  markup: '<script>alert(1)</script>',
  SQL: "Robert'); DROP TABLE pets;--",
  'a format': '%s %n {} ${x}',
  'a member name': '__proto__',
  'the word null': 'null',
  digits: '007',
}

for (const engine of engines) {
  test(`${engine.name}: a name is stored exactly as sent`, { concurrency: 16 }, async (t) => {
    const { create, send } = await startApp(t, { engine })

    const cases = Object.entries(names).map(([what, name]) =>
      t.test(what, async () => {
        const created = await create({ name, categoryId: 1 })

        assert.equal(created.status, 201, created.text)
        const pet = created.body as { id: number; name: string }
        assert.equal(pet.name, name)
        assert.deepEqual((await send(`/v1/pets/${pet.id}`)).body, pet)
        assert.deepEqual((await send(`/v1/pets?id=${pet.id}`)).body, [pet])
      }),
    )
    await Promise.all(cases)
  })
}

test('createPet refuses a name that is not a string, or an empty one', async (t) => {
  const { create } = await startApp(t)
  const refused = {
    empty: '',
    null: null,
    'a number': 1,
    zero: 0,
    true: true,
    false: false,
    'an empty array': [],
    'an array of a name': ['Rex'],
    'an empty object': {},
    'an object like a string': { length: 3, 0: 'R', 1: 'e', 2: 'x' },
  }

  for (const [what, name] of Object.entries(refused)) {
    await t.test(what, async () => {
      const answer = await create({ name, categoryId: 1 })

      assertError(answer, 'invalid_body')
      assert.match(messageOf(answer), /\bname\b/)
    })
  }
})

test('only the size of the body limits a name', async (t) => {
  const { create } = await startApp(t)

  assert.equal((await create({ name: 'x'.repeat(64 * 1024 - 26), categoryId: 1 })).status, 201)
  assertError(await create({ name: 'x'.repeat(64 * 1024 - 25), categoryId: 1 }), 'payload_too_large')
})

test('createPet refuses a name of white space only', async (t) => {
  const { create } = await startApp(t)
  const spaces = [
    0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x20, 0x85, 0xa0, 0x1680, 0x2000, 0x2001, 0x2002, 0x2003, 0x2004, 0x2005, 0x2006,
    0x2007, 0x2008, 0x2009, 0x200a, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000,
  ]

  for (const code of spaces) {
    await t.test(`U+${code.toString(16).padStart(4, '0')}`, async () => {
      const space = String.fromCharCode(code)
      assertError(await create({ name: space, categoryId: 1 }), 'invalid_body')
      assertError(await create({ name: space.repeat(1000), categoryId: 1 }), 'invalid_body')
    })
  }
  await t.test('a mix of them', async () => {
    assertError(await create({ name: ' \t\u00a0\u3000\r\n', categoryId: 1 }), 'invalid_body')
  })
})

test('createPet refuses a name with NUL', async (t) => {
  const { create } = await startApp(t)

  for (const name of ['\0', 'Rex\0', '\0Rex', 'R\0x', `${'x'.repeat(999)}\0`, ' \0 ', '\0'.repeat(1000)]) {
    assertError(await create({ name, categoryId: 1 }), 'invalid_body')
  }
})

const categoryIds = {
  '0': '0',
  '1': '1',
  '-1': '-1',
  '-0': '0',
  '-0.0': '0',
  '1.0': '1',
  '-1.000': '-1',
  '1e3': '1000',
  '1E+3': '1000',
  '-1e3': '-1000',
  '1.5e1': '15',
  '10e-1': '1',
  '1200e-2': '12',
  '0e0': '0',
  '0e999999999': '0',
  '0.0e-999999999': '0',
  '1e18': '1000000000000000000',
  '9.223372036854775807e18': '9223372036854775807',
  '92233720368547758070e-1': '9223372036854775807',
  '-9223372036854775808.0': '-9223372036854775808',
  '999999999999999': '999999999999999',
  '9007199254740991': '9007199254740991',
  '9007199254740992': '9007199254740992',
  '9007199254740993': '9007199254740993',
  '-9007199254740993': '-9007199254740993',
  '9223372036854775806': '9223372036854775806',
  '9223372036854775807': '9223372036854775807',
  '-9223372036854775807': '-9223372036854775807',
  '-9223372036854775808': '-9223372036854775808',
}

for (const engine of engines) {
  test(`${engine.name}: a categoryId is any int64 and keeps its digits`, { concurrency: 16 }, async (t) => {
    const { create, send } = await startApp(t, { engine })

    const cases = Object.entries(categoryIds).map(([given, digits]) =>
      t.test(given, async () => {
        const created = await create(`{"name":"Rex","categoryId":${given}}`)

        assert.equal(created.status, 201, created.text)
        const { id } = created.body as { id: number }
        assert.equal(created.text, `{"id":${id},"name":"Rex","categoryId":${digits}}`)
        assert.equal((await send(`/v1/pets/${id}`)).text, created.text)
        assert.equal((await send(`/v1/pets?id=${id}&categoryId=${digits}`)).text, `[${created.text}]`)
      }),
    )
    await Promise.all(cases)
  })
}

test('createPet refuses a categoryId that is not an int64', async (t) => {
  const { create } = await startApp(t)
  const values = [
    '9223372036854775808',
    '-9223372036854775809',
    '18446744073709551616',
    '99999999999999999999999',
    '9.3e18',
    '1e19',
    '1e400',
    '-1e400',
    '1e999999999',
    '1e-1',
    '1e-400',
    '1e-999999999',
    '1.5',
    '-0.5',
    '0.1',
    '15e-1',
    '1.00000000000000000001',
    '0.99999999999999999999',
    '9007199254740991.4',
    '9007199254740993.5',
    '9223372036854775807.1',
    '"1"',
    '"9223372036854775807"',
    '""',
    'true',
    'false',
    'null',
    '[]',
    '[1]',
    '{}',
    '{"value":1}',
  ]

  for (const value of values) {
    await t.test(value, async () => {
      const answer = await create(`{"name":"Rex","categoryId":${value}}`)

      assertError(answer, 'invalid_body')
      assert.match(messageOf(answer), /\bcategoryId\b/)
    })
  }
})

for (const status of ['available', 'pending', 'sold']) {
  test(`a new animal may be ${status}`, async (t) => {
    const { create, send } = await startApp(t)

    const answer = await create({ name: 'Rex', categoryId: 1, status })

    assert.equal(answer.text, `{"id":1,"name":"Rex","categoryId":1,"status":"${status}"}`)
    assert.equal((await send(`/v1/pets?status=${status}`)).text, `[${answer.text}]`)
  })
}

test('createPet refuses a status that is not one of the three', async (t) => {
  const { create } = await startApp(t)
  const refused = [
    null,
    '',
    'SOLD',
    'Available',
    ' sold',
    'sold ',
    'sold\0',
    'lost',
    'available,sold',
    0,
    1,
    true,
    false,
    [],
    {},
    ['sold'],
    [['sold']],
    { value: 'sold' },
  ]

  for (const status of refused) {
    await t.test(JSON.stringify(status), async () => {
      const answer = await create({ name: 'Rex', categoryId: 1, status })

      assertError(answer, 'invalid_body')
      assert.match(messageOf(answer), /\bstatus\b/)
    })
  }
})

for (const engine of engines) {
  test(`${engine.name}: an absent status stays absent, and no status filter returns the animal`, async (t) => {
    const { create, send } = await startApp(t, { engine })
    const text = '{"id":1,"name":"Rex","categoryId":1}'

    const created = await create(rex)

    assert.equal(created.text, text)
    assert.equal((await send('/v1/pets/1')).text, text)
    assert.equal((await send('/v1/pets')).text, `[${text}]`)
    for (const status of ['available', 'pending', 'sold'])
      assert.equal((await send(`/v1/pets?status=${status}`)).text, '[]')
  })
}

test('other members are ignored and never echoed', async (t) => {
  const { create, send } = await startApp(t)
  const members = {
    id: '999',
    'an id beyond int64': '99999999999999999999',
    ['__proto__']: '{"status":"sold","id":999}',
    constructor: '{"prototype":{"status":"sold"}}',
    prototype: '{"status":"sold"}',
    toString: '"x"',
    toJSON: '"x"',
    hasOwnProperty: '1',
    'capital Status': '"sold"',
    STATUS: '"sold"',
    'category.id': '2',
    categoryID: '2',
    createdAt: '"now"',
    '': '1',
    '🐶': '[1,2.5,{"name":"Tom"}]',
    nested: '{"name":"Tom","categoryId":2,"status":"sold"}',
    'a fraction': '1.5',
    'a long integer': '9007199254740993',
    'beyond every number': '1e400',
    'escapes in it': '"\\u0000\\ud83d\\udc36"',
  }

  for (const [name, value] of Object.entries(members)) {
    await t.test(name, async () => {
      const created = await create(`{"${name}":${value},"name":"Rex","categoryId":1,"x":${value}}`)

      assert.equal(created.status, 201, created.text)
      const { id } = created.body as { id: number }
      assert.notEqual(id, 999)
      assert.equal(created.text, `{"id":${id},"name":"Rex","categoryId":1}`)
      assert.equal((await send(`/v1/pets/${id}`)).text, created.text)
    })
  }
})

test('of a member that is given twice, the last one counts', async (t) => {
  const { create } = await startApp(t)

  for (const categoryId of ['7', '9007199254740993']) {
    const answer = await create(`{"name":5,"categoryId":1.5,"name":"Rex","categoryId":${categoryId}}`)

    assert.equal(answer.status, 201)
    assert.match(answer.text, new RegExp(`"name":"Rex","categoryId":${categoryId}}$`))
  }
  assertError(await create('{"name":"Rex","categoryId":7,"name":5}'), 'invalid_body')
})

test('a __proto__ member is ignored, however its numbers are written', async (t) => {
  const { create } = await startApp(t)

  for (const categoryId of ['1', '1.0', '9007199254740993']) {
    const answer = await create(`{"__proto__":{"status":"sold"},"name":"Rex","categoryId":${categoryId}}`)
    assert.equal((answer.body as { status?: string }).status, undefined)
    assert.doesNotMatch(answer.text, /status|sold/)
  }
})

test('query parameters are ignored', async (t) => {
  const { send } = await startApp(t)

  const answer = await send('/v1/pets?limit=0&status=lost&name=Tom', { method: 'POST', headers: json, body: rex })

  assert.equal(answer.text, '{"id":1,"name":"Rex","categoryId":1}')
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
