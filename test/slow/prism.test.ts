import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { test, type TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { startApp } from '../support/app.ts'
import { freePort } from '../support/ports.ts'
import { findTools, skipWithoutTools, toolFile } from '../support/tools.ts'

const document = fileURLToPath(new URL('../../openapi.json', import.meta.url))

interface Violation {
  location: string[]
  message: string
}

test('Prism finds no request or response that violates the document', async (t) => {
  if (findTools() === undefined) return t.skip(skipWithoutTools)
  const { origin, key, makeKey } = await startApp(t, { rateLimit: 1_000 })
  const { secret: reader } = await makeKey({ permission: 'read' })
  await makeKey({ id: 'key_tom', name: 'tom' })
  const proxy = await startPrism(t, `${origin}/v1`)
  const json = { 'content-type': 'application/json' }
  const write = (method: string, body: string, headers: Record<string, string> = {}) => ({
    method,
    headers: { ...json, ...headers },
    body,
  })
  const post = (body: string, headers?: Record<string, string>) => write('POST', body, headers)
  const file = (type: string, body: string) => ({ method: 'POST', headers: { 'content-type': type }, body })
  const patch = (body: string, headers?: Record<string, string>) => write('PATCH', body, headers)

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
    ['list, newest first', '/pets?sort=-id'],
    ['list by name', '/pets?sort=name&limit=1'],
    ['list, counted', '/pets', { headers: { prefer: 'count=exact' } }],
    ['get', '/pets/1'],
    ['get what is not there', '/pets/999'],
    ['keys', '/keys'],
    ['make a key', '/keys', post('{"name":"till","permission":"read","expiresAt":"2099-01-01T00:00:00Z"}')],
    ['make a key without a permission', '/keys', post('{"name":"web"}')],
    ['get a key', '/keys/key_tom'],
    ['get no key', '/keys/key_nobody'],
    ['rename a key', '/keys/key_tom', { ...post('{"name":"counter"}'), method: 'PATCH' }],
    ['rotate a key', '/keys/key_tom/rotate', post('{"replacedKeyExpiresAt":"2099-01-01T00:00:00Z"}')],
    ['revoke a key', '/keys/key_tom/revoke', { method: 'POST' }],
    ['rotate a revoked key', '/keys/key_tom/rotate', post('{}')],
    ['invite', '/invitations', post('{"name":"Anna","permission":"read"}')],
    ['invitations', '/invitations'],
    ['get an invitation', '/invitations/1'],
    ['remove an invitation', '/invitations/1', { method: 'DELETE' }],
    ['look at an unknown invitation', '/invitations/current', { headers: { authorization: 'Bearer x' } }],
    ['redeem an unknown invitation', '/invitations/redeem', { method: 'POST', headers: { authorization: 'Bearer x' } }],
    ['read key that lists keys', '/keys', { headers: { authorization: `Bearer ${reader}` } }],
    ['read key', '/pets', { headers: { authorization: `Bearer ${reader}` } }],
    ['read key that writes', '/pets', post('{"name":"Rex","categoryId":1}', { authorization: `Bearer ${reader}` })],
    ['unknown key', '/pets', { headers: { authorization: 'Bearer unknown' } }],
    ['unknown key on create', '/pets', post('{"name":"Rex","categoryId":1}', { authorization: 'Bearer unknown' })],
    ['unknown key on get', '/pets/1', { headers: { authorization: 'Bearer unknown' } }],
    ['import', '/pets/import', file('text/csv', 'name,categoryId\nRex,1\n,1\n')],
    ['import NDJSON', '/pets/import', file('application/x-ndjson', '{"name":"Rex","categoryId":1}\n')],
    ['import without a column', '/pets/import', file('text/csv', 'name\n')],
    ['export', '/pets/export'],
    ['export NDJSON', '/pets/export?format=ndjson&status=sold'],
    ['update', '/pets/1', patch('{"name":"Max"}')],
    [
      'update as a merge patch',
      '/pets/1',
      patch('{"categoryId":8}', { 'content-type': 'application/merge-patch+json' }),
    ],
    ['update that takes the status away', '/pets/2', patch('{"status":null}')],
    ['update of nothing', '/pets/1', patch('{}')],
    ['update of what has changed', '/pets/1', patch('{"name":"Rex"}', { 'if-match': '"stale"' })],
    ['update of what is not there', '/pets/999', patch('{}')],
    ['update by a read key', '/pets/1', patch('{}', { authorization: `Bearer ${reader}` })],
    ['no orders', '/store/orders'],
    ['order', '/store/orders', post('{"petId":1}')],
    ['order what is taken', '/store/orders', post('{"petId":1}')],
    ['order what is not there', '/store/orders', post('{"petId":999}')],
    ['update the status of what is ordered', '/pets/1', patch('{"status":"sold"}')],
    ['delete what is ordered', '/pets/1', { method: 'DELETE' }],
    ['get an order', '/store/orders/1'],
    ['get an order that is not there', '/store/orders/999'],
    ['list orders', '/store/orders?status=placed&petId=1&limit=5'],
    ['note', '/store/orders/1', patch('{"customer":"Ada","note":"Saturday"}')],
    ['note removed', '/store/orders/1', patch('{"note":null}')],
    ['order with a customer', '/store/orders/1'],
    ['cancel', '/store/orders/1', patch('{"status":"cancelled"}')],
    ['cancel again', '/store/orders/1', patch('{"status":"cancelled"}')],
    ['order once', '/store/orders', post('{"petId":1}', { 'idempotency-key': 'o' })],
    ['order once, replayed', '/store/orders', post('{"petId":1}', { 'idempotency-key': 'o' })],
    ['order once, mismatch', '/store/orders', post('{"petId":2}', { 'idempotency-key': 'o' })],
    [
      'complete',
      '/store/orders/2',
      patch('{"status":"completed"}', { 'content-type': 'application/merge-patch+json' }),
    ],
    ['cancel what has changed', '/store/orders/2', patch('{"status":"cancelled"}', { 'if-match': '"stale"' })],
    ['complete what is not there', '/store/orders/999', patch('{"status":"completed"}')],
    ['list orders, newest first', '/store/orders?sort=-id'],
    ['list orders by pages', '/store/orders?limit=1'],
    ['unknown key on orders', '/store/orders', { headers: { authorization: 'Bearer unknown' } }],
    ['no categories', '/categories'],
    ['name a category', '/categories/-7', write('PUT', '{"name":"Dogs"}')],
    ['name a category again', '/categories/-7', write('PUT', '{"name":"Hounds"}')],
    ['create a category that is there', '/categories/-7', write('PUT', '{"name":"Cats"}', { 'if-none-match': '*' })],
    ['get a category', '/categories/-7'],
    ['get a category that is not there', '/categories/9'],
    ['list categories', '/categories?limit=1'],
    ['add a category', '/categories', post('{"name":"Fish"}', { 'idempotency-key': 'c' })],
    ['add a category, replayed', '/categories', post('{"name":"Fish"}', { 'idempotency-key': 'c' })],
    ['add a category, mismatch', '/categories', post('{"name":"Birds"}', { 'idempotency-key': 'c' })],
    ['remove a category that has changed', '/categories/-7', { method: 'DELETE', headers: { 'if-match': '"stale"' } }],
    ['remove a category', '/categories/-7', { method: 'DELETE' }],
    ['remove a category that is not there', '/categories/-7', { method: 'DELETE' }],
    ['name a category that animals have', '/categories/8', write('PUT', '{"name":"Cats"}')],
    ['remove a category that animals have', '/categories/8', { method: 'DELETE' }],
    ['change many', '/pets/bulk', post('{"filter":{"categoryId":77},"change":{"status":"sold"}}')],
    ['export orders', '/store/orders/export?format=ndjson'],
    ['inventory', '/store/inventory?limit=1'],
    ['inventory of categories by name', '/store/inventory?name=dogs'],
    ['delete what has changed', '/pets/2', { method: 'DELETE', headers: { 'if-match': '"stale"' } }],
    ['delete', '/pets/2', { method: 'DELETE' }],
    ['delete what is not there', '/pets/2', { method: 'DELETE' }],
    ['events', '/events'],
    ['events, newest first', '/events?sort=-id'],
    ['events after one', '/events?after=3&limit=2'],
    ['events by type, key and time', '/events?type=petstore.pet.created&keyid=key_a&from=2026-01-01T00:00:00Z'],
    ['events to come', '/events?after=999'],
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
    ['update of an id that is no number', '/pets/abc', patch('{}')],
    ['update to no name', '/pets/1', patch('{"name":null}')],
    ['update to an unknown status', '/pets/1', patch('{"status":"lost"}')],
    ['update in text', '/pets/1', { method: 'PATCH', headers: { 'content-type': 'text/plain' }, body: 'Rex' }],
    ['order of nothing', '/store/orders', post('{}')],
    ['orders of an unknown status', '/store/orders?status=lost'],
    ['order with an empty note', '/store/orders', post('{"petId":1,"note":""}')],
    ['order that is placed', '/store/orders/2', patch('{"status":"placed"}')],
    ['inventory of nothing', '/store/inventory?limit=0'],
    ['new category without a name', '/categories', post('{}')],
    ['category without a name', '/categories/1', write('PUT', '{}')],
    ['category of no number', '/categories/abc', write('PUT', '{"name":"Dogs"}')],
    ['events after what is none', '/events?after=-1'],
  ]

  for (const [name, path, init = {}] of [...proper, ...improper]) {
    const response = await fetch(proxy + path, {
      signal: AbortSignal.timeout(60_000),
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
  const program = toolFile('@stoplight/prism-cli/dist/index.js')
  const args = ['proxy', document, upstream, '--port', String(port), '--host', '127.0.0.1']
  const prism = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
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
