import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PetStore } from '../../../client/src/index.ts'
import { errorText, faultsByField } from '../../../console/api/error-text.ts'
import { PageRequestError } from '../../../console/api/failure.ts'
import { isInt64 } from '../../../console/api/int64.ts'
import { rulesFrom, type Schemas } from '../../../console/api/rules.ts'
import { NewCategory } from '../../../src/contract/category.ts'
import { openApiDocument } from '../../../src/contract/document/openapi.ts'
import { NewPet } from '../../../src/contract/pet.ts'
import { checker } from '../../../src/contract/checker.ts'

const document = openApiDocument() as unknown as { components: { schemas: Schemas } }
const rules = rulesFrom(document.components.schemas)
const check = checker(NewPet, 'json')

for (const [name, text] of Object.entries({
  usual: 'Rex',
  empty: '',
  'white space': ' \t\n\u0085\u3000',
  'white space around': ' Rex ',
  'several lines': 'Rex\nII',
  NUL: 'Re\u0000x',
  '60,000 characters': 'x'.repeat(60_000),
  'a lone combining mark': '\u0301',
})) {
  test(`the console accepts the names that the service accepts: ${name}`, () => {
    const isAccepted = 'value' in check({ name: text, categoryId: 1n })

    assert.equal(rules.name(text) === undefined, isAccepted)
  })
}

for (const [what, text, isAccepted] of [
  ['1000 emoji', '🐈'.repeat(1000), true],
  ['1001 emoji', '🐈'.repeat(1001), false],
  ['white space', ' ', false],
] as const) {
  test(`the console ${isAccepted ? 'accepts' : 'refuses'} the name of a category: ${what}`, () => {
    assert.equal('value' in checker(NewCategory, 'json')({ name: text }), isAccepted)
    assert.equal(rules.categoryName(text) === undefined, isAccepted)
  })
}

test('the console refuses a name that does not fit into a body of 64 KiB', () => {
  for (const text of ['x'.repeat(65_536), '🐈'.repeat(16_300), '\u0001'.repeat(11_000)])
    assert.match(rules.name(text) ?? '', /cannot be sent/)
  const largest = 'x'.repeat(64_998)
  const body = { name: largest, categoryId: '-9223372036854775808', status: 'available' }
  assert.equal(rules.name(largest), undefined)
  assert.ok(JSON.stringify(body).length < 64 * 1024)
})

test('the rules of the console work without a schema of categories', () => {
  const { NewCategory: _, ...others } = document.components.schemas

  assert.equal(rulesFrom(others).name('Rex'), undefined)
})

test('the console refuses a lone surrogate, like the service', () => {
  assert.match(rules.name('\ud83d') ?? '', /half a character/)
})

for (const [text, isAccepted] of [
  ['0', true],
  ['-1', true],
  ['9223372036854775807', true],
  ['-9223372036854775808', true],
  ['9223372036854775808', false],
  ['-9223372036854775809', false],
  ['-0', false],
  ['007', false],
  ['1.0', false],
  ['1e3', false],
  ['+5', false],
  ['', false],
  ['x', false],
] as const) {
  test(`the console ${isAccepted ? 'accepts' : 'refuses'} the number "${text}"`, () => {
    assert.equal(isInt64(text), isAccepted)
  })
}

for (const [refused, place] of [
  [['name'], 'name'],
  [['name', 'categoryId'], 'form'],
  [['price'], 'form'],
  [[], 'form'],
] as const) {
  test(`the console shows an error about ${refused.join(' and ') || 'no field'} at: ${place}`, () => {
    const error = Object.assign(new PageRequestError('invalid_body', 'No.'), { fields: refused })

    assert.deepEqual(faultsByField(error, ['name', 'categoryId', 'status']), { [place]: 'No.' })
  })
}

for (const [what, code, status, headers, words] of [
  ['a service that is busy', 'unavailable', 503, { 'retry-after': '30' }, /busy or restarting/],
  ['too many requests', 'rate_limited', 429, { 'retry-after': '30' }, /a pause of 30 seconds/],
  ['a fault of the service', 'internal', 500, { 'x-request-id': 'abc-7' }, /not your fault.*abc-7/],
  ['a conflict', 'conflict', 409, {}, /^The message of the service\.$/],
  ['a key that may not', 'forbidden', 403, {}, /change nothing/],
  ['a gateway that answers HTML', undefined, 502, {}, /busy or restarting/],
  ['a gateway that refuses', undefined, 403, {}, /Something between this page and the service/],
] as const) {
  test(`the console explains ${what}`, async () => {
    const body = { code, message: 'The message of the service.', status }
    const response = () =>
      code === undefined
        ? new Response('<h1>No</h1>', { status, headers: { 'content-type': 'text/html' } })
        : Response.json(body, { status, headers })
    const { pets } = new PetStore({
      baseUrl: 'http://127.0.0.1/v1',
      apiKey: 'key',
      retry: { maxAttempts: 1 },
      fetch: async () => response(),
    })

    const text = await pets.create({ name: 'Rex', categoryId: 7 }).then(String, errorText)

    assert.match(text, words)
  })
}

test('only the error of a form says that what was typed is kept', () => {
  for (const code of ['unreachable', 'unavailable', 'rate_limited', 'internal'] as const) {
    const error = new PageRequestError(code, 'No.')

    assert.doesNotMatch(errorText(error), /typed/)
    assert.match(errorText(error, true), /What you typed is kept\./)
  }
})
