import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Check } from 'typebox/schema'
import { testType } from '../../src/contract/delivery.ts'
import { openApiDocument } from '../../src/contract/document/openapi.ts'
import { eventNames } from '../../src/contract/webhook.ts'
import { mediaTypes } from '../../src/contract/webhook-format.ts'
import { startApp } from '../support/app.ts'
import { startReceiver } from '../support/webhook-receiver.ts'

interface Request {
  security: unknown[]
  'x-stability': string
  parameters: { $ref: string }[]
  requestBody: { content: Record<string, { schema: { $ref: string }; example: unknown }> }
  responses: Record<string, { description: string }>
}
interface Document {
  webhooks?: Record<string, { post: Request }>
  components: { parameters?: Record<string, { name: string; in: string; required: boolean; schema: object }> }
}

const document = JSON.parse(JSON.stringify(openApiDocument())) as Document

function requestOf(type: string): Request {
  const request = document.webhooks?.[type]?.post
  assert.ok(request !== undefined, type)
  return request
}

test('the document has a request for every type of event, and for a test of a webhook', () => {
  assert.deepEqual(Object.keys(document.webhooks ?? {}), [...eventNames, testType])
})

test('a request to a webhook needs no API key, is experimental, and says what 2xx, 410 and the rest mean', () => {
  for (const { post } of Object.values(document.webhooks ?? {})) {
    assert.deepEqual([post.security, post['x-stability']], [[], 'experimental'])
    assert.deepEqual(new Set(Object.keys(post.responses)), new Set(['2XX', '410', 'default']))
    const { content } = post.requestBody
    assert.deepEqual(Object.keys(content), Object.values(mediaTypes))
    for (const { schema, example } of Object.values(content)) assert.ok(Check({ ...document, ...schema }, example))
  }
})

for (const format of ['json', 'cloudevents'] as const)
  test(`what a webhook of the format ${format} gets is valid by the document: headers and bodies`, async (t) => {
    const receiver = await startReceiver(t)
    const { storage, create, send } = await startApp(t, { webhookAddresses: { allowPrivate: true } })
    await storage.webhooks.create({ url: receiver.url, format })
    await create({ name: 'Rex', categoryId: 1 })
    const tried = { webhookId: 1n, eventId: 1n, type: 'petstore.pet.created', at: 0, attempt: 1, durationMs: 1 }
    const id = await storage.deliveries.addTry(tried)

    await send(`/v1/webhooks/1/deliveries/${id}/resend`, { method: 'POST' })
    await send('/v1/webhooks/1/test', { method: 'POST' })

    assert.deepEqual(
      receiver.received.map(({ type }) => type),
      ['petstore.pet.created', testType],
    )
    for (const { type, body, headers } of receiver.received) {
      const { parameters, requestBody } = requestOf(type)
      const schema = requestBody.content[headers['content-type'] ?? '']?.schema
      assert.ok(schema !== undefined && Check({ ...document, ...schema }, JSON.parse(body)), body)
      for (const { $ref } of parameters) {
        const parameter = document.components.parameters?.[$ref.replace('#/components/parameters/', '')]
        assert.ok(parameter?.in === 'header' && parameter.required)
        assert.ok(Check(parameter.schema, headers[parameter.name]), parameter.name)
      }
      assert.equal(parameters.length, Object.keys(headers).filter((name) => name.startsWith('webhook-')).length)
    }
  })

test('a deployment that offers no webhooks has none in its document', () => {
  const stable = openApiDocument({ minStability: 'stable' }) as unknown as Document

  assert.deepEqual([stable.webhooks, stable.components.parameters], [undefined, undefined])
})
