import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../support/app.ts'

// The client that most agents still use. It compares structuredContent with the output schema of a tool, of errors too.
// npm run test:mcp installs it, so its types are those of the client 2.x, which has the same methods.
type Sdk = typeof import('@modelcontextprotocol/client')
const sdk = new URL('node_modules/@modelcontextprotocol/sdk/dist/esm/client/', import.meta.url)
const { Client } = (await import(`${sdk.href}index.js`)) as Pick<Sdk, 'Client'>
const { StreamableHTTPClientTransport } = (await import(`${sdk.href}streamableHttp.js`)) as Pick<
  Sdk,
  'StreamableHTTPClientTransport'
>

test('an agent with the client 1.x gets results, and errors in the words of the API', async (t) => {
  const { origin, key } = await startApp(t, { hasMcp: true })
  const client = new Client({ name: 'test', version: '1' })
  const requestInit = { headers: { authorization: `Bearer ${key}` } }
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', origin), { requestInit }))
  t.after(() => client.close())
  // It knows the output schemas from here.
  const { tools } = await client.listTools()
  const call = async (name: string, given: Record<string, unknown>) => {
    const { content, structuredContent, isError = false } = await client.callTool({ name, arguments: given })
    const [part] = content
    assert.ok(part?.type === 'text')
    return { isError, structuredContent, told: JSON.parse(part.text) as Record<string, unknown> }
  }

  const added = await call('createPet', { name: 'Rex', categoryId: 1, idempotencyKey: 'one' })
  const listed = await call('listPets', { limit: 1 })
  const missing = await call('updatePet', { petId: 999_999, name: 'Tom' })
  const invalid = await call('listPets', { limit: 0 })

  assert.ok(tools.every(({ outputSchema }) => outputSchema !== undefined))
  assert.deepEqual([added.isError, added.structuredContent], [false, added.told])
  assert.deepEqual([listed.isError, listed.structuredContent], [false, listed.told])
  assert.deepEqual([missing.isError, missing.structuredContent, missing.told['code']], [true, undefined, 'not_found'])
  assert.equal(missing.told['message'], 'No animal has this id.')
  assert.deepEqual(
    [invalid.isError, invalid.structuredContent, invalid.told['code']],
    [true, undefined, 'invalid_parameter'],
  )
})
