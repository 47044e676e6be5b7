import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../support/app.ts'
import { engines } from '../support/engines.ts'
import { assertError } from '../support/error.ts'
import { messageOf } from '../support/create-members.ts'

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
