import assert from 'node:assert/strict'
import { test } from 'node:test'
import { all, document, operation, parameter } from '../support/document.ts'

const listPets = operation('get', '/pets')
const createPet = operation('post', '/pets')
const getPet = operation('get', '/pets/{petId}')

test('the interface version is 1.0.0', () => {
  assert.equal(document.info.version, '1.0.0')
})

test('every operation of the contract has its name, method and path', () => {
  assert.equal(listPets.operationId, 'listPets')
  assert.equal(createPet.operationId, 'createPet')
  assert.equal(getPet.operationId, 'getPet')
})

for (const [schema, members, required] of [
  ['NewPet', ['name', 'categoryId', 'status'], ['name', 'categoryId']],
  ['Pet', ['id', 'name', 'categoryId', 'status'], ['id', 'name', 'categoryId']],
  ['Error', ['code', 'message', 'status'], ['code', 'message', 'status']],
] as const) {
  test(`${schema} has the members of the contract and requires ${required.join(', ')}`, () => {
    const { properties = {}, required: needed = [] } = document.components.schemas[schema] ?? {}

    assert.deepEqual(Object.keys(properties).toSorted(), members.toSorted())
    assert.deepEqual(needed.toSorted(), required.toSorted())
  })
}

test('PetStatus has the three values of the contract', () => {
  assert.deepEqual(document.components.schemas['PetStatus']?.enum, ['available', 'pending', 'sold'])
})

test('id and categoryId are integers of the format int64', () => {
  const { properties = {} } = document.components.schemas['Pet'] ?? {}

  for (const member of ['id', 'categoryId']) {
    const { type, format } = properties[member] as { type?: string; format?: string }
    assert.deepEqual([type, format], ['integer', 'int64'])
  }
})

test('limit is an integer from 1 to 100, 20 by default, and not required', () => {
  const limit = parameter(listPets, 'limit')

  const { type, minimum, maximum, default: fallback } = limit.schema
  assert.deepEqual([type, minimum, maximum, fallback, limit.required], ['integer', 1, 100, 20, false])
})

for (const [method, path, statuses] of [
  ['get', '/pets', ['200', '401']],
  ['post', '/pets', ['201', '400', '401']],
  ['get', '/pets/{petId}', ['200', '401', '404']],
] as const) {
  test(`${method.toUpperCase()} ${path} documents the responses of the contract: ${statuses.join(', ')}`, () => {
    const { responses } = operation(method, path)

    for (const status of statuses) assert.ok(status in responses)
  })
}

test('the body of createPet is required and is a NewPet', () => {
  assert.equal(createPet.requestBody?.required, true)
  assert.deepEqual(createPet.requestBody?.content, {
    'application/json': {
      schema: { $ref: '#/components/schemas/NewPet' },
      example: { name: 'Rex', categoryId: 1, status: 'available' },
    },
  })
})

test('the three operations of the contract have no stability marker', () => {
  for (const each of [listPets, createPet, getPet]) assert.ok(!('x-stability' in each))
})

test('the parameters of the contract have no stability marker', () => {
  for (const each of [parameter(listPets, 'limit'), parameter(listPets, 'status'), parameter(getPet, 'petId')]) {
    assert.equal(each['x-stability'], undefined)
  }
})

test('every other parameter of these operations is optional and marked as beta, or as experimental', () => {
  const ofContract = new Set(['limit', 'status', 'petId'])
  const additions = [listPets, createPet, getPet].flatMap(({ parameters }) =>
    parameters.filter(({ name }) => !ofContract.has(name)),
  )

  assert.ok(additions.length > 0)
  assert.deepEqual(
    additions.filter((addition) => addition.required || addition['x-stability'] !== 'beta').map(({ name }) => name),
    ['ids', 'importId'],
  )
  for (const experimental of ['ids', 'importId']) {
    const addition = additions.find(({ name }) => name === experimental)
    assert.deepEqual([addition?.required, addition?.['x-stability']], [false, 'experimental'])
  }
})

test('only getPet is deprecated, and it is removed on 5 December 2030', () => {
  assert.deepEqual(
    all.filter(({ deprecated }) => deprecated).map(({ operationId }) => operationId),
    ['getPet'],
  )
  assert.equal(getPet['x-sunset'], '2030-12-05')
})

test('every response of getPet, errors too, documents Deprecation, Sunset and Link', () => {
  for (const [status, { headers }] of Object.entries(getPet.responses)) {
    assert.ok('Deprecation' in headers && 'Sunset' in headers && 'Link' in headers, `${status} lacks them`)
  }
})
