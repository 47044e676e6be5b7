import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { addDemoAnimals } from '../../src/cli/serving/demo.ts'
import { startApp } from '../support/app.ts'

const page = readFileSync(new URL('../../docs/agents.md', import.meta.url), 'utf8')
const conversation = /```text\n(.*?)```/s.exec(page)?.[1]?.trim().split('\n\n') ?? []

/** What the page leaves out, because it differs from run to run. */
function withoutTimes(result: Record<string, unknown>): unknown {
  const { etag: _etag, data, ...rest } = result
  if (data === undefined) return rest
  if (Array.isArray(data)) return { data }
  const { placedAt: _placedAt, updatedAt: _updatedAt, ...order } = data as Record<string, unknown>
  return { data: order }
}

test('the conversation in docs/agents.md happens as it is written', async (t) => {
  const app = await startApp(t, { hasMcp: true })
  await addDemoAnimals(app.storage)
  const client = new Client({ name: 'test', version: '1' })
  const requestInit = { headers: { authorization: `Bearer ${app.key}` } }
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', app.origin), { requestInit }))
  t.after(() => client.close())
  assert.equal(conversation.length, 5)

  for (const exchange of conversation) {
    const [, name = '', given = '', result = ''] = /^(\w+) (.+)\n(.+)$/.exec(exchange) ?? []
    const { content } = await client.callTool({
      name,
      arguments: JSON.parse(given) as Record<string, unknown>,
    })
    // The text of a result is its structuredContent, which errors do not have.
    const [part] = content
    assert.ok(part?.type === 'text')
    assert.deepEqual(withoutTimes(JSON.parse(part.text) as Record<string, unknown>), JSON.parse(result))
  }
})
