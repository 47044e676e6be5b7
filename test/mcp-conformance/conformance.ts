import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { startApp, type TestApp } from '../support/app.ts'
import { temporaryFolder } from '../support/engines.ts'

const tool = fileURLToPath(new URL('node_modules/@modelcontextprotocol/conformance/dist/index.js', import.meta.url))

/** The others are about resources, prompts, logging, and tools that a server has only to be tested. */
const scenarios = ['server-initialize', 'ping', 'tools-list', 'dns-rebinding-protection']

/** The tests send no key. */
async function withKey(t: TestContext, { origin, key }: TestApp): Promise<string> {
  const server = createServer((incoming, response) => {
    const headers = { ...incoming.headers, authorization: `Bearer ${key}` }
    const outgoing = request(
      new URL(incoming.url as string, origin),
      { method: incoming.method, headers },
      (answer) => {
        response.writeHead(answer.statusCode as number, answer.headers)
        answer.pipe(response)
      },
    )
    incoming.pipe(outgoing)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
}

test('the endpoint conforms to the Model Context Protocol', async (t) => {
  const url = await withKey(t, await startApp(t, { hasMcp: true }))
  const cwd = temporaryFolder(t)

  for (const scenario of scenarios) {
    await t.test(scenario, async () => {
      await promisify(execFile)(process.execPath, [tool, 'server', '--url', url, '--scenario', scenario], { cwd })
    })
  }
})
