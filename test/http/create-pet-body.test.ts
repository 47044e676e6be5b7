import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Answer, startApp } from '../support/app.ts'
import { assertError } from '../support/error.ts'
import { json, postRaw, rex } from '../support/create-bodies.ts'

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
