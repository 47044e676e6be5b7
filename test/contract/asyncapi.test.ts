import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Check } from 'typebox/schema'
import { asyncApiDocument } from '../../src/contract/document/asyncapi.ts'
import { testType } from '../../src/contract/delivery.ts'
import { openApiDocument } from '../../src/contract/document/openapi.ts'
import { eventTypes } from '../../src/contract/event.ts'
import { startApp } from '../support/app.ts'

interface Document {
  servers: Record<string, { host: string; pathname: string; protocol: string }>
  channels: Record<string, { address: string | null; messages: Record<string, object> }>
  operations: Record<string, object>
  components: {
    messages: Record<
      string,
      { name: string; payload: { $ref: string }; headers?: object; examples: { payload: unknown; headers?: unknown }[] }
    >
    schemas: Record<string, { examples: unknown[] }>
  }
}

const document = plain(asyncApiDocument())

/** As its readers get it. */
function plain(made: object): Document {
  return JSON.parse(JSON.stringify(made)) as Document
}

function isValid(name: string, value: unknown): boolean {
  return Check({ ...document, $ref: `#/components/schemas/${name}` }, value)
}

for (const [channel, others] of [
  ['events', []],
  ['webhooks', [testType]],
] as const) {
  test(`the messages of the channel ${channel} are ${['every type of event', ...others].join(' and ')}`, () => {
    const names = Object.keys(document.channels[channel]?.messages ?? {})

    assert.deepEqual(
      names.map((name) => document.components.messages[name]?.name),
      [...eventTypes.map((type) => `petstore.${type}`), ...others],
    )
    for (const name of names) {
      assert.equal(document.components.messages[name]?.headers !== undefined, channel === 'webhooks')
    }
  })
}

test('its schemas are those of the OpenAPI document', () => {
  const { components } = JSON.parse(JSON.stringify(openApiDocument())) as Document

  for (const [name, schema] of Object.entries(document.components.schemas)) {
    // There its members are parameters.
    if (name !== 'WebhookHeaders') assert.deepEqual(schema, components.schemas[name], name)
  }
})

test('every example is valid by its schema', () => {
  for (const [name, { payload: schema, examples }] of Object.entries(document.components.messages)) {
    assert.ok(examples.length > 0)
    for (const { payload, headers } of examples) {
      assert.ok(isValid(schema.$ref.replace('#/components/schemas/', ''), payload), name)
      assert.ok(headers === undefined || isValid('WebhookHeaders', headers), name)
    }
  }
  for (const [name, { examples }] of Object.entries(document.components.schemas)) {
    assert.ok(examples.length > 0)
    for (const value of examples) assert.ok(isValid(name, value), name)
  }
  assert.ok(!isValid('PetCreatedEvent', { type: 'petstore.pet.created' }))
})

test('the events of a shop are valid by the document', async (t) => {
  const { create, sendJson, send } = await startApp(t)
  for (const name of ['Rex', 'Max']) await create({ name, categoryId: 1, status: 'available' })
  await sendJson('POST /v1/store/orders', { petId: 1, customer: 'Ada' })
  await sendJson('POST /v1/store/orders', { petId: 2 })
  await sendJson('PATCH /v1/store/orders/1', { status: 'completed' })
  await sendJson('PATCH /v1/store/orders/2', { status: 'cancelled' })
  await send('/v1/pets/2', { method: 'DELETE' })

  const events = (await send('/v1/events?limit=100')).body as { type: string }[]

  assert.deepEqual(new Set(events.map(({ type }) => type)), new Set(eventTypes.map((type) => `petstore.${type}`)))
  const schemaOf = new Map(Object.values(document.components.messages).map(({ name, payload }) => [name, payload.$ref]))
  for (const event of events) {
    assert.ok(isValid(schemaOf.get(event.type)?.replace('#/components/schemas/', '') ?? '', event), event.type)
  }
})

test('/asyncapi.json names the server by the address that was asked for, or the configured one', async (t) => {
  const asked = await startApp(t)
  const configured = await startApp(t, {
    environment: 'staging',
    baseUrls: { staging: 'https://pets.example/shop/v1' },
  })
  const { host } = new URL(asked.origin)

  const answers = [await asked.send('/asyncapi.json'), await configured.send('/asyncapi.json')]

  const [own, other] = answers.map(({ body }) => (body as Document).servers)
  const { host: shownHost, pathname, protocol } = own?.['production'] ?? {}
  assert.deepEqual([shownHost, pathname, protocol], [host, '/v1', 'http'])
  const { staging } = other ?? {}
  assert.deepEqual([staging?.host, staging?.pathname, staging?.protocol], ['pets.example', '/shop/v1', 'https'])
  assert.equal(answers[0]?.headers.get('content-type'), 'application/json')
  assert.match(answers[0]?.headers.get('vary') ?? '', /\bHost\b/)
})

test('a deployment that serves no events says so, and one without a known address names no server', () => {
  const document = plain(asyncApiDocument({ minStability: 'stable', baseUrl: '/v1' }))

  assert.deepEqual([document.channels, document.operations, document.components.messages], [{}, {}, {}])
  assert.deepEqual(document.servers, {})
})
