import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { Client, type ClientOptions, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { TestApp } from './app.ts'

/** Connects an agent with the official client. */
export async function connect(
  t: TestContext,
  { origin, key }: Pick<TestApp, 'origin' | 'key'>,
  options: ClientOptions = {},
) {
  const client = new Client({ name: 'test', version: '1' }, options)
  const requestInit = { headers: { authorization: `Bearer ${key}` } }
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', origin), { requestInit }))
  t.after(() => client.close())
  return {
    version: client.getNegotiatedProtocolVersion(),
    instructions: client.getInstructions(),
    tools: async () => (await client.listTools()).tools,
    async call(name: string, given: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
      const { content, structuredContent, isError = false } = await client.callTool({ name, arguments: given })
      if (!isError) return { isError, ...(structuredContent as Record<string, unknown>) }
      assert.equal(structuredContent, undefined)
      const [part] = content
      assert.ok(part?.type === 'text')
      return { isError, ...(JSON.parse(part.text) as object) }
    },
    fails: (name: string) => assert.rejects(client.callTool({ name, arguments: {} }), /no such tool/),
  }
}

/** Sends a message as text, to see the digits. */
export function post({ sendJson }: TestApp, message: string, headers: Record<string, string> = {}) {
  return sendJson('POST /mcp', message, { accept: 'application/json, text/event-stream', ...headers })
}

/** The message of a tool call. */
export function callOf(name: string, given: string): string {
  return `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}","arguments":${given}}}`
}
