import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { test, type TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { startApp } from '../support/app.ts'

const document = fileURLToPath(new URL('../../openapi.json', import.meta.url))
const prismBinary = fileURLToPath(new URL('../../node_modules/.bin/prism', import.meta.url))

interface Violation {
  location: string[]
  message: string
}

test('Prism, between client and service, finds nothing that the document does not allow', async (t) => {
  const { origin, key, makeKey } = await startApp(t, { rateLimit: 1_000 })
  const { secret: reader } = await makeKey({ permission: 'read' })
  const proxy = await startPrism(t, `${origin}/v1`)
  const json = { 'content-type': 'application/json' }
  const post = (body: string, headers: Record<string, string> = {}) => ({
    method: 'POST',
    headers: { ...json, ...headers },
    body,
  })

  // (Not among them a body that is no JSON: Prism itself never answers one.)
  // `improper` requests break the document on purpose: of those only the answer has to follow it.
  const proper: [name: string, path: string, init?: RequestInit][] = [
    ['an empty list', '/pets'],
    ['create', '/pets', post('{"name":"Rex","categoryId":1,"status":"available"}')],
    ['create without a status', '/pets', post('{"name":"Tom","categoryId":-7}')],
    ['create with other members', '/pets', post('{"name":"ポチ 🐕","categoryId":0,"id":9,"colour":"red"}')],
    ['create once', '/pets', post('{"name":"Mia","categoryId":2,"status":"sold"}', { 'idempotency-key': 'k' })],
    [
      'create once, replayed',
      '/pets',
      post('{"name":"Mia","categoryId":2,"status":"sold"}', { 'idempotency-key': 'k' }),
    ],
    ['create once, mismatch', '/pets', post('{"name":"Max","categoryId":2}', { 'idempotency-key': 'k' })],
    ['list', '/pets'],
    ['list with a limit', '/pets?limit=2'],
    ['list by status', '/pets?status=sold'],
    ['list by category', '/pets?categoryId=-7'],
    ['list by id', '/pets?id=1'],
    ['list, counted', '/pets', { headers: { prefer: 'count=exact' } }],
    ['get', '/pets/1'],
    ['get what is not there', '/pets/999'],
    ['read key', '/pets', { headers: { authorization: `Bearer ${reader}` } }],
    ['read key that writes', '/pets', post('{"name":"Rex","categoryId":1}', { authorization: `Bearer ${reader}` })],
    ['unknown key', '/pets', { headers: { authorization: 'Bearer unknown' } }],
    ['unknown key on create', '/pets', post('{"name":"Rex","categoryId":1}', { authorization: 'Bearer unknown' })],
    ['unknown key on get', '/pets/1', { headers: { authorization: 'Bearer unknown' } }],
  ]
  const improper: typeof proper = [
    ['limit 0', '/pets?limit=0'],
    ['limit 101', '/pets?limit=101'],
    ['unknown status', '/pets?status=lost'],
    ['damaged cursor', '/pets?cursor=x'],
    ['no name', '/pets', post('{"categoryId":1}')],
    ['name that is a number', '/pets', post('{"name":5,"categoryId":1}')],
    ['category that is text', '/pets', post('{"name":"Rex","categoryId":"1"}')],
    ['null status', '/pets', post('{"name":"Rex","categoryId":1,"status":null}')],
    ['text', '/pets', { method: 'POST', headers: { 'content-type': 'text/plain' }, body: 'Rex' }],
    ['id that is no number', '/pets/abc'],
  ]

  for (const [name, path, init = {}] of [...proper, ...improper]) {
    const response = await fetch(proxy + path, {
      signal: AbortSignal.timeout(10_000),
      ...init,
      headers: { authorization: `Bearer ${key}`, ...(init.headers as Record<string, string>) },
    })
    const violations = JSON.parse(response.headers.get('sl-violations') ?? '[]') as Violation[]
    const isImproper = improper.some(([other]) => other === name)
    const found = violations.filter(({ location }) => !isImproper || location[0] === 'response')

    assert.deepEqual(found, [], `${name}: ${response.status} ${await response.text()}`)
    assert.ok(response.status < 500, `${name}: ${response.status}`)
  }
})

async function startPrism(t: TestContext, upstream: string): Promise<string> {
  const port = await freePort()
  const prism = spawn(prismBinary, ['proxy', document, upstream, '--port', String(port), '--host', '127.0.0.1'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  t.after(() => prism.kill('SIGKILL'))
  await new Promise<void>((resolve, reject) => {
    let output = ''
    const read = (chunk: Buffer) => {
      output += chunk.toString()
      if (output.includes('is listening')) resolve()
    }
    prism.stdout.on('data', read)
    prism.stderr.on('data', read)
    prism.on('exit', () => reject(new Error(`Prism did not start: ${output}`)))
  })
  return `http://127.0.0.1:${port}`
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
