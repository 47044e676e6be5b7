import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from 'typebox'
import { ListEventsQuery } from '../../src/contract/operations/events.ts'
import { NewPet, PetChange } from '../../src/contract/pet.ts'
import { checker } from '../../src/contract/rules.ts'

test('a check passes on what the schema names and nothing else', () => {
  const check = checker(NewPet, 'json')

  const checked = check({ id: 7, name: 'Rex', categoryId: 1, status: 'sold', price: 9 })

  assert.deepEqual(checked, { value: { name: 'Rex', categoryId: 1n, status: 'sold' } })
})

test('a check leaves out an optional field that is not given', () => {
  const check = checker(NewPet, 'json')

  assert.deepEqual(check({ name: 'Rex', categoryId: 1n, status: undefined }), {
    value: { name: 'Rex', categoryId: 1n },
  })
})

test('a check fills in the default of a field that is not given', () => {
  const check = checker(Type.Object({ limit: Type.Integer({ minimum: 1, maximum: 100, default: 20 }) }), 'text')

  assert.deepEqual(check({}), { value: { limit: 20 } })
})

test('a check tells of every fault in a sentence that names the field and says what is allowed', () => {
  const check = checker(NewPet, 'json')

  const checked = check({ name: ' ', status: 'SOLD' })

  assert.deepEqual(checked, {
    faults:
      'name must be a string of 1 to 1000 characters, not only white space, without NUL. ' +
      'categoryId is missing: it must be an integer from -9223372036854775808 to 9223372036854775807. ' +
      'status must be one of available, pending, sold.',
  })
})

test('a check of JSON takes a number where one of text takes its decimal', () => {
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

  assert.deepEqual(checked, { faults: 'status must be one of available, pending, sold, given once.' })
})

test('a check takes null where the schema names it, and nowhere else', () => {
  const check = checker(PetChange, 'json')

  assert.deepEqual(check({ status: null }), { value: { status: null } })
  assert.deepEqual(check({ name: null, categoryId: null, status: 'null' }), {
    faults:
      'name must be a string of 1 to 1000 characters, not only white space, without NUL. ' +
      'categoryId must be an integer from -9223372036854775808 to 9223372036854775807. ' +
      'status must be one of available, pending, sold, or null.',
  })
})

test('an int64 may have a least value, and the fault says so', () => {
  const check = checker(ListEventsQuery, 'text')

  assert.deepEqual(check({ after: '0' }), { value: { limit: 20, after: 0n } })
  assert.deepEqual(check({ after: '9223372036854775807' }), { value: { limit: 20, after: 9223372036854775807n } })
  assert.deepEqual(check({ after: '-1' }), { faults: 'after must be an integer from 0 to 9223372036854775807.' })
})

test('a schema of a type that has no rule is refused before anything is checked', () => {
  assert.throws(() => checker(Type.Object({ price: Type.Number() }), 'json'), /number/)
})
