import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { startApp } from '../support/app.ts'
import { join } from 'node:path'
import { root } from './files.ts'

async function check(address: string): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, [join(root, 'deploy/healthcheck.js'), address])
  let output = ''
  child.stdout.on('data', (text) => (output += text))
  const [code] = await once(child, 'close')
  return { code: code as number | null, output }
}

async function serverThatAnswers(t: TestContext, status: number): Promise<string> {
  const server = createServer((_request, response) => response.writeHead(status).end()).listen(0, '127.0.0.1')
  t.after(() => server.close())
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/readyz`
}

for (const path of ['/livez', '/readyz']) {
  test(`the health check exits with 0 if ${path} returns 200`, async (t) => {
    const { origin } = await startApp(t)

    assert.deepEqual(await check(`${origin}${path}`), { code: 0, output: `${origin}${path} answered 200\n` })
  })
}

for (const status of [503, 404, 302, 204]) {
  test(`the health check exits with 1 for status ${status}`, async (t) => {
    const address = await serverThatAnswers(t, status)

    assert.deepEqual(await check(address), { code: 1, output: `${address} answered ${status}\n` })
  })
}

test('the health check exits with 1 if nothing listens', async () => {
  const { code, output } = await check('http://127.0.0.1:1/livez')

  assert.equal(code, 1)
  assert.match(output, /did not answer/)
})
