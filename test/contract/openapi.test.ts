import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'
import { type ErrorCode, errorCodes, errorStatus } from '../../src/contract/error.ts'
import { asyncApiDocument } from '../../src/contract/document/asyncapi.ts'
import { openApiDocument } from '../../src/contract/document/openapi.ts'
import { all, type Document, document, forInvited, isForAdmins, operation } from '../support/document.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const unmet = new Set<ErrorCode>(['method_not_allowed'])

for (const [name, made] of Object.entries({ 'openapi.json': document, 'asyncapi.json': asyncApiDocument() })) {
  test(`${name} in the repository is the document of the program`, () => {
    const committed: unknown = JSON.parse(readFileSync(`${root}${name}`, 'utf8'))

    assert.deepEqual(committed, JSON.parse(JSON.stringify(made)), 'run: npm run make -- openapi')
  })
}

test('every operation of a workflow is one of the document, and its parameters are those of the operation', () => {
  const arazzo = parse(readFileSync(`${root}src/contract/document/arazzo.yaml`, 'utf8')) as {
    workflows: { workflowId: string; steps: { operationId: string; parameters?: { name: string; in: string }[] }[] }[]
  }
  const unknown = arazzo.workflows.flatMap(({ workflowId, steps }) =>
    steps.flatMap(({ operationId, parameters: sent = [] }) => {
      const found = all.find((each) => each.operationId === operationId)
      const isKnown = (parameter: { name: string; in: string }) =>
        parameter.name === 'Authorization' ||
        found?.parameters.some((each) => each.name === parameter.name && each.in === parameter.in) === true
      if (found === undefined) return [`${workflowId}: ${operationId}`]
      return sent.filter((each) => !isKnown(each)).map(({ name }) => `${workflowId}: ${operationId} ${name}`)
    }),
  )

  assert.equal(arazzo.workflows.length, 6)
  assert.deepEqual(unknown, [])
})

test('no two operations share a name', () => {
  const names = all.map(({ operationId }) => operationId)

  assert.equal(new Set(names).size, names.length)
})

test('every operation requires a bearer token, those of keys, invitations and webhooks one of an admin', () => {
  assert.deepEqual(document.security, [{ apiKey: [] }])
  assert.equal(document.components.securitySchemes['apiKey']?.type, 'http')
  assert.equal(document.components.securitySchemes['apiKey']?.scheme, 'bearer')
  for (const [path, methods] of Object.entries(document.paths)) {
    const redeemed = forInvited.has(path) ? [{ invitation: [] }] : undefined
    const needed = isForAdmins(path) ? [{ apiKey: ['admin'] }] : redeemed
    for (const each of Object.values(methods)) assert.deepEqual((each as { security?: unknown }).security, needed)
  }
})

test('every operation beyond the contract has a stability marker', () => {
  for (const each of all.filter(({ operationId }) => !['listPets', 'createPet', 'getPet'].includes(operationId))) {
    assert.match(each['x-stability'] ?? 'none', /^(beta|experimental)$/)
  }
})

test('a conflict documents Retry-After where a request with the same Idempotency-Key may be in flight', () => {
  for (const { operationId, parameters, responses } of all) {
    const takesKey = parameters.some(({ name }) => name === 'Idempotency-Key')
    const headers = responses['409']?.headers
    if (headers !== undefined) assert.equal('Retry-After' in headers, takesKey, operationId)
  }
})

test('every operation whose body is read documents 413, also one without a body', () => {
  for (const methods of Object.values(document.paths))
    for (const [method, { operationId, responses }] of Object.entries(methods))
      assert.equal('413' in responses, ['post', 'put', 'patch'].includes(method), operationId)
})

test('every response of an operation beyond the contract, errors too, documents Stability', () => {
  for (const { operationId, responses, 'x-stability': stability } of all) {
    // Error answers are shared between operations, so those of the contract name it too.
    for (const [status, { headers }] of Object.entries(responses))
      if (Number(status) < 400 || stability !== undefined)
        assert.equal('Stability' in headers, stability !== undefined, `${operationId} ${status}`)
  }
})

test('a merge patch may be sent under both media types', () => {
  for (const path of ['/pets/{petId}', '/store/orders/{orderId}'])
    assert.deepEqual(Object.keys(operation('patch', path).requestBody?.content ?? {}), [
      'application/json',
      'application/merge-patch+json',
    ])
  assert.deepEqual(Object.keys(operation('post', '/pets').requestBody?.content ?? {}), ['application/json'])
})

test('the codes of errors are a closed set, each with its status', () => {
  const codes = {
    invalid_parameter: 400,
    invalid_body: 400,
    invalid_request: 400,
    unauthorized: 401,
    forbidden: 403,
    not_found: 404,
    method_not_allowed: 405,
    request_timeout: 408,
    conflict: 409,
    gone: 410,
    precondition_failed: 412,
    payload_too_large: 413,
    uri_too_long: 414,
    unsupported_media_type: 415,
    expectation_failed: 417,
    idempotency_mismatch: 422,
    rate_limited: 429,
    headers_too_large: 431,
    internal: 500,
    unavailable: 503,
  }

  assert.deepEqual(errorStatus, codes)
  assert.deepEqual(document.components.schemas['Error']?.properties?.['code']?.enum, Object.keys(codes))
})

test('every error code of a documented request is documented with an operation', () => {
  const documented = new Set(
    all.flatMap(({ responses }) =>
      Object.values(responses).flatMap(({ content }) => Object.keys(content?.['application/json']?.examples ?? {})),
    ),
  )

  const missing = errorCodes.filter((code) => !documented.has(code) && !unmet.has(code))

  assert.deepEqual(missing, [])
})

for (const { operationId, responses } of all) {
  test(`every error of ${operationId} is an Error whose code goes with its status`, () => {
    for (const [status, { content }] of Object.entries(responses).filter(([status]) => Number(status) >= 400)) {
      const { schema, examples = {} } = content?.['application/json'] ?? {}
      assert.deepEqual(schema, { $ref: '#/components/schemas/Error' })
      assert.ok(Object.keys(examples).length > 0)
      for (const { value } of Object.values(examples)) {
        const { code, status: named } = value as { code: ErrorCode; status: number }
        assert.equal(named, Number(status))
        assert.equal(errorStatus[code], Number(status))
      }
    }
  })

  test(`every response of ${operationId} documents X-Request-Id`, () => {
    for (const { headers } of Object.values(responses)) assert.ok('X-Request-Id' in headers)
  })
}

test('no $id of the program is left in the document', () => {
  assert.doesNotMatch(JSON.stringify(document), /"\$id"/)
})

test('without base addresses the only server is this one', () => {
  assert.deepEqual(document.servers, [{ url: '/v1', description: 'Production' }])
})

test('configured base addresses fill the servers', () => {
  const { servers } = openApiDocument({
    baseUrls: { production: 'https://pets.example/v1', staging: 'https://staging.pets.example/v1' },
  }) as unknown as Document

  assert.deepEqual(servers, [
    { url: 'https://pets.example/v1', description: 'Production' },
    { url: 'https://staging.pets.example/v1', description: 'Staging' },
  ])
})

test('staging serves a document with its own server first', () => {
  const baseUrls = { production: 'https://pets.example/v1' }
  const { servers } = openApiDocument({ environment: 'staging', baseUrls }) as unknown as Document

  assert.deepEqual(servers, [
    { url: '/v1', description: 'Staging' },
    { url: 'https://pets.example/v1', description: 'Production' },
  ])
})

test('the document is OpenAPI 3.1.0', () => {
  assert.equal(document.openapi, '3.1.0')
})

test('every integer has a format', () => {
  const integers = [...JSON.stringify(document).matchAll(/\{[^{}]*"type":"integer"[^{}]*\}/g)].map(([text]) => text)

  assert.ok(integers.length > 0)
  for (const text of integers) assert.match(text, /"format":"int(32|64)"/)
})

test('no text of the document has a control character, written out or as a \\u escape in a pattern', () => {
  assert.doesNotMatch(JSON.stringify(document), /\\\\u00|\\u00/)
})

test('the status of a change may be null', () => {
  const { properties = {} } = document.components.schemas['PetChange'] ?? {}

  assert.deepEqual(properties['status']?.anyOf, [{ $ref: '#/components/schemas/PetStatus' }, { type: 'null' }])
})

test('events are a union discriminated by type', () => {
  const { oneOf, discriminator } = document.components.schemas['ShopEvent'] as unknown as {
    oneOf: { $ref: string }[]
    discriminator: { propertyName: string; mapping: Record<string, string> }
  }

  assert.equal(discriminator.propertyName, 'type')
  assert.deepEqual(
    Object.values(discriminator.mapping),
    oneOf.map(({ $ref }) => $ref),
  )
  for (const [type, target] of Object.entries(discriminator.mapping)) {
    const schema = document.components.schemas[target.replace('#/components/schemas/', '')]
    assert.equal(schema?.properties?.['type']?.const, type)
  }
})

test('every operation documents Prefer and Preference-Applied', () => {
  for (const { parameters, responses } of Object.values(document.paths).flatMap((path) => Object.values(path))) {
    const prefer = parameters.find(({ name }) => name === 'Prefer')
    assert.equal(prefer?.['x-stability'], 'beta')
    assert.match(prefer?.description ?? '', /`handling=strict`/)
    for (const [status, answer] of Object.entries(responses))
      if (status.startsWith('2')) assert.ok('Preference-Applied' in answer.headers, status)
  }
})
