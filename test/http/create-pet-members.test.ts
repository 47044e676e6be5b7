import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Answer, startApp } from '../support/app.ts'
import { engines } from '../support/engines.ts'
import { assertError } from '../support/error.ts'

const rex = '{"name":"Rex","categoryId":1}'

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

function messageOf(answer: Answer): string {
  return (answer.body as { message: string }).message
}
