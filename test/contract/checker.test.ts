import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from 'typebox'
import { Int64 } from '../../src/contract/schema.ts'
import { NewPet, PetChange, PetName } from '../../src/contract/pet.ts'
import { checker } from '../../src/contract/checker.ts'
import { NewWebhook } from '../../src/contract/webhook.ts'

test('a check returns only members that the schema names', () => {
  const check = checker(NewPet, 'json')

  const checked = check({ id: 7, name: 'Rex', categoryId: 1, status: 'sold', price: 9 })

  assert.deepEqual(checked, { value: { name: 'Rex', categoryId: 1n, status: 'sold' } })
})

test('a pattern without words for its message is refused when the check is made', () => {
  assert.throws(
    () => checker(Type.Object({ name: Type.String({ pattern: '^a' }) }), 'json'),
    /No words for the pattern/,
  )
})

test('a check omits a missing optional field', () => {
  const check = checker(NewPet, 'json')

  assert.deepEqual(check({ name: 'Rex', categoryId: 1n, status: undefined }), {
    value: { name: 'Rex', categoryId: 1n },
  })
})

test('a check fills in the default of a missing field', () => {
  const check = checker(Type.Object({ limit: Type.Integer({ minimum: 1, maximum: 100, default: 20 }) }), 'text')

  assert.deepEqual(check({}), { value: { limit: 20 } })
})

test('a check reports every fault with the field and what is allowed', () => {
  const check = checker(NewPet, 'json')

  const checked = check({ name: ' ', status: 'SOLD' })

  assert.deepEqual(checked, {
    faults:
      'name must be a string that is not only white space. ' +
      'categoryId is missing: it must be an integer from -9223372036854775808 to 9223372036854775807. ' +
      'status must be one of available, pending, sold.',
    fields: ['name', 'categoryId', 'status'],
  })
})

test('a check of JSON accepts a number, a check of text its decimal', () => {
  const json = checker(NewPet, 'json')
  const text = checker(NewPet, 'text')
  const value = { name: 'Rex', categoryId: 1n }

  assert.deepEqual(json({ name: 'Rex', categoryId: 1 }), { value })
  assert.deepEqual(text({ name: 'Rex', categoryId: '1' }), { value })
  assert.ok('faults' in json({ name: 'Rex', categoryId: '1' }))
  assert.ok('faults' in text({ name: 'Rex', categoryId: 1 }))
})

test('a check of text refuses a field that is given twice', () => {
  const check = checker(NewPet, 'text')

  const checked = check({ name: 'Rex', categoryId: '1', status: ['sold', 'sold'] })

  assert.deepEqual(checked, { faults: 'status must be given once.', fields: ['status'] })
})

test('a check accepts null only if the schema does', () => {
  const check = checker(PetChange, 'json')

  assert.deepEqual(check({ status: null }), { value: { status: null } })
  assert.deepEqual(check({ name: null, categoryId: null, status: 'null' }), {
    faults:
      'name must be a string of at least 1 character. ' +
      'categoryId must be an integer from -9223372036854775808 to 9223372036854775807. ' +
      'status must be one of available, pending, sold, or null.',
    fields: ['name', 'categoryId', 'status'],
  })
})

test('a fault names the broken part of a rule, or the whole rule if the field is missing', () => {
  const check = checker(NewPet, 'json')
  const faultOf = (name: unknown) => check({ name, categoryId: 1 })
  const length = 'a string of at least 1 character'

  assert.deepEqual(faultOf(''), { faults: `name must be ${length}.`, fields: ['name'] })
  assert.deepEqual(faultOf(5), { faults: `name must be ${length}.`, fields: ['name'] })
  assert.deepEqual(faultOf(' \u0085\u3000'), {
    faults: 'name must be a string that is not only white space.',
    fields: ['name'],
  })
  assert.deepEqual(faultOf('Rex\0'), { faults: 'name must be a string that has no NUL (U+0000).', fields: ['name'] })
  assert.deepEqual(faultOf(undefined), {
    faults: `name is missing: it must be ${length} that is not only white space and that has no NUL (U+0000).`,
    fields: ['name'],
  })
})

test('the parts of a pattern together equal the pattern', () => {
  const { pattern, 'x-form': form } = PetName as unknown as { pattern: string; 'x-form': Record<string, string> }
  const whole = new RegExp(pattern, 'u')
  const parts = Object.values(form).map((part) => new RegExp(part, 'u'))

  for (const text of ['a', ' a ', '\0', 'a\0', '\0a', ' \0', ' ', '\u0085', '\n', 'a\nb', '\ufeff', '🐕', '\u2028x']) {
    const isFine = parts.every((part) => part.test(text))
    assert.equal(whole.test(text), isFine, JSON.stringify(text))
  }
})

test('a strict check names unknown fields', () => {
  const json = checker(NewPet, 'json')
  const text = checker(Type.Object({}), 'text')
  const proper = { name: 'Rex', categoryId: 1 }

  assert.deepEqual(json({ ...proper, id: 7 }, true), {
    faults: 'Unknown member: "id". Known: name, categoryId, status.',
    fields: [],
  })
  assert.deepEqual(json({ nam: 'Rex', categoryId: 1 }, true), {
    faults:
      'name is missing: it must be a string of at least 1 character that is not only white space and that has no NUL ' +
      '(U+0000). Unknown member: "nam". Known: name, categoryId, status.',
    fields: ['name'],
  })
  assert.deepEqual(json(JSON.parse('{"name":"Rex","categoryId":1,"__proto__":1,"constructor":2}'), true), {
    faults: 'Unknown members: "__proto__", "constructor". Known: name, categoryId, status.',
    fields: [],
  })
  assert.deepEqual(text({ a: '1' }, true), { faults: 'Unknown parameter: "a". Known: none.', fields: [] })
  assert.deepEqual(json(proper, true), { value: { name: 'Rex', categoryId: 1n } })
})

test('the message of a strict check is short for many and long names', () => {
  const check = checker(NewPet, 'json')
  const many = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`x${index}${'🐕'.repeat(50)}`, 1]))

  const checked = check({ name: 'Rex', categoryId: 1, ...many }, true)

  assert.ok('faults' in checked)
  assert.ok(checked.faults.length < 500, checked.faults)
  assert.ok(checked.faults.isWellFormed())
  assert.match(checked.faults, /and 4995 more\. Known: name, categoryId, status\.$/)
})

test('an int64 may have a minimum, and the fault says so', () => {
  const check = checker(Type.Object({ after: Type.Unsafe<bigint>({ ...Int64, minimum: 0 }) }), 'text')

  assert.deepEqual(check({ after: '0' }), { value: { after: 0n } })
  assert.deepEqual(check({ after: '9223372036854775807' }), { value: { after: 9223372036854775807n } })
  assert.deepEqual(check({ after: '-1' }), {
    faults: 'after must be an integer from 0 to 9223372036854775807.',
    fields: ['after'],
  })
})

test('a schema with an unknown type is refused at start', () => {
  assert.throws(() => checker(Type.Object({ price: Type.Number() }), 'json'), /number/)
})

test('a check of an array demands what is allowed of each item, and no repeats where the schema forbids them', () => {
  const check = checker(NewWebhook, 'json')
  const url = 'https://example.com/'
  const types = ['petstore.pet.deleted', 'petstore.pet.created']

  assert.deepEqual(check({ url, types }), { value: { url, types } })
  for (const wrong of [
    [],
    [types[0], types[0]],
    ['pet.created'],
    [null],
    'petstore.pet.created',
    { 0: types[0] },
    null,
  ]) {
    assert.deepEqual(check({ url, types: wrong }), {
      faults:
        'types must be an array of at least 1 without repeats, each one of petstore.pet.created, ' +
        'petstore.pet.updated, petstore.pet.deleted, petstore.order.placed, petstore.order.completed, ' +
        'petstore.order.cancelled.',
      fields: ['types'],
    })
  }
})
