import assert from 'node:assert/strict'
import { test } from 'node:test'
import { all, document, forInvited, isForAdmins, operation, parameter, type Schema } from '../support/document.ts'

/** No text that is written here could be valid: it comes from an earlier response, or from the clock. */
const withoutExample = new Set(['BulkChange.cursor', 'NewInvitation.expiresAt'])

test('every schema and every member of one has an example and a description', () => {
  for (const [name, schema] of Object.entries(document.components.schemas)) {
    assertExplained(schema, name)
    for (const [member, property] of Object.entries(schema.properties ?? {})) {
      if (property.$ref !== undefined) continue
      if (withoutExample.has(`${name}.${member}`)) assert.ok(property.examples === undefined && property.description)
      else assertExplained(property, `${name}.${member}`)
    }
  }
})

test('every parameter has a description, and an example unless it needs an earlier response or excludes another', () => {
  const without = new Set<string>()
  for (const { operationId, parameters } of all) {
    for (const { name, examples, description } of parameters) {
      assert.notEqual(description, '', `${operationId} ${name}`)
      if (examples === undefined) without.add(name)
      // Postman's importer takes 0 and false for no value.
      else assert.ok(examples.default.value, `${operationId} ${name}`)
    }
  }

  const ofResponses = ['cursor', 'If-Match', 'If-None-Match', 'Last-Event-ID', 'invitationId', 'deliveryId', 'importId']
  const excludeOthers = ['without', 'orderId']
  assert.deepEqual([...without].toSorted(), [...ofResponses, ...excludeOthers].toSorted())
})

test('a parameter that excludes another one says so', () => {
  for (const [path, name, other] of [
    ['/pets', 'without', 'status'],
    ['/pets/export', 'without', 'status'],
    ['/pets/export', 'spreadsheet', 'format'],
    ['/pets/export', 'separator', 'format'],
    ['/events', 'orderId', 'petId'],
  ] as const) {
    assert.match(parameter(operation('get', path), name).description, new RegExp(`\`${other}\\b`), `${path} ${name}`)
  }
})

test('bodies of different kinds are examples of their own', () => {
  const { 'application/json': media } = operation('post', '/pets/bulk').requestBody?.content ?? {}

  assert.deepEqual(Object.keys((media as { examples?: object }).examples ?? {}), ['change', 'remove', 'count'])
})

test('no two operations have the same example of an Idempotency-Key', () => {
  const keys = all.flatMap(({ parameters }) =>
    parameters.filter(({ name }) => name === 'Idempotency-Key').map(({ examples }) => examples?.default.value),
  )

  assert.ok(keys.length > 3)
  assert.equal(new Set(keys).size, keys.length)
})

test('nothing in the document is for one tool alone', () => {
  const found = [...JSON.stringify(document).matchAll(/"(x-[a-z-]+)":/g)]
  const extensions = new Set(found.map(([, name = '']) => name))

  assert.deepEqual([...extensions].toSorted(), ['x-stability', 'x-sunset'])
})

test('every response header has an example and a description', () => {
  for (const [name, { description, schema }] of Object.entries(document.components.headers)) {
    assert.ok(description !== '' && schema.examples !== undefined, name)
  }
})

test('every reference leads somewhere', () => {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, target]) => target ?? '')

  assert.ok(references.length > 0)
  for (const target of references) {
    const found = target
      .split('/')
      .slice(1)
      .reduce<unknown>((value, step) => (value as Record<string, unknown> | undefined)?.[step], document)
    assert.ok(target.startsWith('#/') && found !== undefined, target)
  }
})

test('no schema but Error, which the contract names, shadows a global of JavaScript or the browser', () => {
  const globals = new Set([...Object.getOwnPropertyNames(globalThis), 'Event', 'Element', 'Node', 'Document'])

  const shadowing = Object.keys(document.components.schemas).filter((name) => globals.has(name))

  assert.deepEqual(shadowing, ['Error'])
})

test('every success with a body has an example', () => {
  for (const { operationId, responses } of all) {
    for (const [status, { content }] of Object.entries(responses)) {
      if (Number(status) >= 300 || content === undefined) continue
      const described = content['application/json'] ?? Object.values(content)[0] ?? {}
      assert.ok('example' in described, `${operationId} ${status}`)
    }
  }
})

test('every error documents the rate limit headers', () => {
  for (const { operationId, responses } of all) {
    for (const [status, { headers }] of Object.entries(responses)) {
      if (Number(status) >= 400) assert.ok('RateLimit' in headers && 'RateLimit-Policy' in headers, operationId)
    }
  }
})

test('every link leads to an operation of the document', () => {
  const links = all.flatMap(({ responses }) =>
    Object.values(responses).flatMap((answer) => Object.values(answer.links ?? {})),
  )

  assert.ok(links.length > 0)
  for (const { operationId } of links)
    assert.ok(
      all.some((each) => each.operationId === operationId),
      operationId,
    )
})

function assertExplained({ examples = [], description = '' }: Schema, name: string): void {
  assert.ok(examples.length > 0, `${name} has no example`)
  assert.notEqual(description, '', `${name} has no description`)
}

for (const [path, description] of [
  ['/pets', 'Returns only animals with this status.'],
  ['/store/orders', 'Returns only orders with this status.'],
] as const) {
  test(`the status filter of ${path} has a description and the shared schema`, () => {
    const status = operation('get', path).parameters.find(({ name }) => name === 'status')

    assert.equal(status?.description, description)
    assert.match(String(status?.schema['$ref']), /^#\/components\/schemas\/(Pet|Order)Status$/)
  })
}

test('a shared schema is described as such, wherever it is used', () => {
  assert.equal(document.components.schemas['PetStatus']?.description, 'Availability status of an animal.')
  assert.match(document.components.schemas['OrderStatus']?.description ?? '', /^Where an order stands/)
})

test('operations that need more than a read key document 403, and no others', () => {
  for (const [path, methods] of Object.entries(document.paths))
    for (const [method, { responses }] of Object.entries(methods)) {
      const needsNoKey = forInvited.has(path)
      const needsMore = !needsNoKey && (method !== 'get' || isForAdmins(path))
      assert.equal('403' in responses, needsMore, `${method} ${path}`)
    }
})
