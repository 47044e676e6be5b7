import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'
import { type TestContext, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { Client, type ClientOptions } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { forwarder } from '../../../src/cli/mcp.ts'
import { share, startApp } from '../../support/app.ts'
import { freePort } from '../../support/ports.ts'
import { main, run, startCommand } from '../../support/service.ts'

const sharedApp = share((t) => startApp(t, { hasMcp: true }))

const protocols: Record<string, ClientOptions> = {
  '2025-11-25': {},
  '2026-07-28': { versionNegotiation: { mode: { pin: '2026-07-28' } } },
}

/** Sends lines to the verb and reads those of its answer. */
function startBridge(t: TestContext, url: string, key: string) {
  const env = { PETSTORE_API_KEY: key }
  const { child, closed } = startCommand(t, ['mcp', '--url', url], { env, holdsInput: true })
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  return {
    closed,
    send: (line: string, encoding: BufferEncoding = 'utf8') => child.stdin.write(`${line}\n`, encoding),
    end: () => child.stdin.end(),
    next: async () => (await lines.next()).value,
  }
}

for (const [version, options] of Object.entries(protocols)) {
  test(`petstore mcp connects an agent to a running service (protocol ${version})`, async (t) => {
    const { origin, key } = await startApp(t, { hasMcp: true })
    const client = new Client({ name: 'test', version: '1' }, options)
    const args = [main, 'mcp', '--url', origin]
    await client.connect(new StdioClientTransport({ command: process.execPath, args, env: { PETSTORE_API_KEY: key } }))
    t.after(() => client.close())

    const { structuredContent } = await client.callTool({ name: 'listPets', arguments: {} })

    assert.equal(client.getNegotiatedProtocolVersion(), version)
    assert.deepEqual(structuredContent, { data: [] })
    const name = 'a\u2028b\u2029c\u0085d€😀'
    const given = { name, categoryId: 1, idempotencyKey: 'characters' }
    const added = (await client.callTool({ name: 'createPet', arguments: given })).structuredContent
    assert.equal((added as { data: { name: string } }).data.name, name)
  })
}

test('petstore mcp keeps digits, answers what it cannot send, and ends with its input', async (t) => {
  const { origin, key } = await sharedApp()
  const bridge = startBridge(t, origin, key)
  const large = '9007199254740993'
  const call = `"method":"tools/call","params":{"name":"createPet","arguments":{"name":"Rex","categoryId":${large},"idempotencyKey":"k"}}`

  bridge.send(`{"jsonrpc":"2.0","id":"one",${call}}`)
  assert.match((await bridge.next()) ?? '', new RegExp(`"categoryId":${large}.*"id":"one"`))
  bridge.send('not JSON')
  assert.match((await bridge.next()) ?? '', /-32700/)
  bridge.send('{"jsonrpc":"2.0","id":2,"method":"\xff"}', 'latin1')
  assert.match((await bridge.next()) ?? '', /"id":null.*-32700.*UTF-8/)
  bridge.send(`"${'x'.repeat(300_000)}`)
  assert.match((await bridge.next()) ?? '', /too long/)
  bridge.send('{"jsonrpc":"2.0","method":"notifications/initialized"}')
  bridge.send('{"jsonrpc":"2.0","id":2,"method":"ping"}')
  bridge.end()
  assert.match((await bridge.next()) ?? '', /"id":2/)
  assert.equal(await bridge.next(), undefined)
  assert.deepEqual((await bridge.closed)[0], 0)
})

test('petstore mcp keeps a bounded number of responses for an agent that does not read', async (t) => {
  const app = await startApp(t, { hasMcp: true })
  // One response is more than a pipe holds.
  for (let count = 0; count < 4; count++) await app.create({ name: 'x'.repeat(60_000), categoryId: 1 })
  const env = { PETSTORE_API_KEY: app.key }
  const child = spawn(process.execPath, [main, 'mcp', '--url', app.origin], { env, stdio: ['pipe', 'pipe', 'ignore'] })
  t.after(() => child.kill('SIGKILL'))
  for (let id = 1; id <= 40; id++)
    child.stdin.write(`{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"listPets"}}\n`)
  child.stdin.end()

  const calls = () => app.answered.filter(({ route }) => route === '/mcp').length
  while (calls() < 16) await setTimeout(10)
  for (let count = 0; count < 50; count++) await app.send('/v1/pets?limit=4')
  const beforeReading = calls()
  let read = 0
  for await (const line of createInterface(child.stdout)) if (line.includes('"result"')) read++

  assert.ok(beforeReading < 40)
  assert.equal(read, 40)
})

test('petstore mcp passes on why the service refuses, and says if there is none', async (t) => {
  const { origin } = await sharedApp()
  const refused = startBridge(t, origin, 'pet_live_nobody')
  refused.send('{"jsonrpc":"2.0","id":1,"method":"ping"}')
  const alone = startBridge(t, `http://127.0.0.1:${await freePort()}`, 'pet_live_nobody')
  alone.send('{"jsonrpc":"2.0","id":1,"method":"ping"}')

  assert.match((await refused.next()) ?? '', /"id":1.*Send a valid API key/)
  assert.match((await alone.next()) ?? '', /"id":1.*does not answer/)
})

test('petstore mcp answers for a service that hangs, with the digits of the id', async (t) => {
  const begun = (response: ServerResponse) => void response.write('{"jsonrpc":')
  for (const respond of [() => undefined, begun]) {
    const server = createServer((_request, response) => respond(response)).listen(0, '127.0.0.1')
    t.after(() => server.close().closeAllConnections())
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const forward = forwarder(new URL(`http://127.0.0.1:${port}/mcp`), 'key', 50)

    const [line = ''] = await forward('{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}')

    assert.match(line, /"id":9007199254740993,"error":.*does not answer \(nothing within 0\.05 s\)/)
  }
})

test('petstore mcp says that a response is no message of the protocol, also if its status is 200', async (t) => {
  for (const [status, text] of [
    [200, 'This is not JSON.'],
    [502, '<html>Bad Gateway</html>'],
  ] as const) {
    const server = createServer((_request, response) => response.writeHead(status).end(text)).listen(0, '127.0.0.1')
    t.after(() => server.close().closeAllConnections())
    await once(server, 'listening')
    const forward = forwarder(new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`), 'key')

    const [line = ''] = await forward('{"jsonrpc":"2.0","id":1,"method":"ping"}')

    assert.match(
      line,
      new RegExp(`"id":1,"error":.*"A response with status ${status} is no message of the protocol\\."`),
    )
  }
})

test('petstore mcp without a key or with a wrong address says what is missing', async (t) => {
  const without = await run(t, ['mcp'])
  const wrong = await run(t, ['mcp', '--url', 'shop', '--key', 'x'])

  assert.deepEqual([without.code, wrong.code], [2, 2])
  assert.match(without.stderr, /^petstore: an API key is needed, in PETSTORE_API_KEY or with --key\.\n$/)
  assert.match(wrong.stderr, /^petstore: --url must be the address of the service/)
})
