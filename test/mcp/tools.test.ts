import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operations } from '../../src/contract/operations/operations.ts'
import { isTool, toolOf } from '../../src/mcp/tool.ts'

const tools = operations.filter(isTool).map((operation) => ({ operation, tool: toolOf(operation) }))

test('every operation is a tool, except those of files, keys, invitations, webhooks and many animals, and what will be removed', () => {
  const others = operations.filter((operation) => !isTool(operation)).map(({ id }) => id)

  assert.deepEqual(
    others.filter((id) => !/Key|Invitation|Webhook|Deliver|^import|^export/.test(id)),
    ['getPet', 'bulkChangePets', 'undoImport'],
  )
  assert.ok(tools.length >= 15)
})

for (const { operation, tool } of tools) {
  const { properties, required } = tool.inputSchema as { properties: Record<string, object>; required: string[] }

  test(`the tool ${tool.name} speaks to an agent, not of HTTP`, () => {
    const words = JSON.stringify(tool)

    assert.doesNotMatch(
      words,
      /header|`Link`|If-Match|Idempotency-Key|ETag|Event-Position|GET \/|POST \/|response is \d|\b4\d\d\b|stream|getPet/,
    )
    assert.doesNotMatch(words, /"\$id"|"x-|"\$ref"|"examples"/)
    assert.ok(Object.values(properties).every((schema) => 'description' in schema || 'anyOf' in schema))
  })

  test(`the tool ${tool.name} says whether it changes something`, () => {
    const { readOnlyHint, destructiveHint } = tool.annotations

    assert.equal(readOnlyHint, operation.permission === 'read')
    assert.equal(destructiveHint, ['PUT', 'PATCH', 'DELETE'].includes(operation.method))
  })

  if (operation.method === 'POST' && operation.success.status === 201) {
    test(`the tool ${tool.name} needs an idempotency key`, () => {
      assert.ok(required.includes('idempotencyKey'))
    })
  }
}

test('the list of tools costs an agent at most 30 KB', () => {
  assert.ok(JSON.stringify(tools.map(({ tool }) => tool)).length < 30_000)
})
