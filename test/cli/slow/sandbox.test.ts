import assert from 'node:assert/strict'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryFolder } from '../../support/engines.ts'
import { run, startCommand } from '../../support/service.ts'
import { until } from '../../support/until.ts'

test('petstore sandbox --json prints one line when it is ready, keeps nothing, and ends by a signal', async (t) => {
  const cwd = temporaryFolder(t)
  writeFileSync(join(cwd, 'seed.ndjson'), '{"id":77,"name":"Rex","categoryId":1}\n')
  const args = ['sandbox', '--port', '0', '--json', '--seed', 'seed.ndjson']
  const env = { PETSTORE_DATABASE_URL: 'sqlite:real.db', PETSTORE_API_KEY: 'another-key-of-a-real-shop' }
  const { child, closed, output } = startCommand(t, args, { cwd, env })
  await until(() => output.stdout.endsWith('\n'))
  const { url, key, console: page, pid } = JSON.parse(output.stdout) as Record<string, string>

  const list = await fetch(`${url}/pets`, { headers: { authorization: `Bearer ${key}` } })
  const other = await fetch(`${url}/pets`, { headers: { authorization: 'Bearer another-key-of-a-real-shop' } })
  assert.deepEqual(await list.json(), [{ id: 77, name: 'Rex', categoryId: 1 }])
  assert.equal(list.headers.get('petstore-sandbox'), 'default')
  assert.equal(other.status, 401)
  assert.match(`${url}`, /^http:\/\/127\.0\.0\.1:\d+\/v1$/)
  assert.equal((await fetch(`${page}`)).status, 200)
  assert.equal(Number(pid), child.pid)

  child.kill('SIGTERM')
  assert.deepEqual([await closed, output.stderr], [[0, null], ''])
  assert.deepEqual(readdirSync(cwd), ['seed.ndjson'])
})

test('petstore sandbox says that it keeps nothing, and ends by itself after --ttl', async (t) => {
  const { closed, output } = startCommand(t, ['sandbox', '--port', '0', '--ttl', '1s'])

  assert.deepEqual(await closed, [0, null])
  assert.match(output.stdout, /KEEPS NOTHING/)
  assert.match(output.stdout, /It ends by itself after 1s/)
})

test('petstore sandbox listens on all addresses in the image, which says so by SANDBOX_HOST', async (t) => {
  const env = { SANDBOX_HOST: '0.0.0.0' }
  const { closed, output } = startCommand(t, ['sandbox', '--port', '0', '--json', '--ttl', '1s'], { env })

  assert.deepEqual(await closed, [0, null])
  assert.match(output.stdout, /^\{"url":"http:\/\/0\.0\.0\.0:\d+\/v1"/)
})

test('petstore sandbox refuses wrong options with a sentence', async (t) => {
  const cwd = temporaryFolder(t)
  writeFileSync(join(cwd, 'broken.ndjson'), '{"id":1,"name":"Rex","categoryId":1}\n{"id":2}\n')
  const refusal = async (...args: string[]) => (await run(t, ['sandbox', ...args], { cwd })).stderr

  assert.match(await refusal('--port', '65536'), /--port must be a number from 0 to 65535, got "65536"/)
  assert.match(await refusal('--ttl', '0s'), /--ttl must be a time up to 24 days/)
  assert.match(await refusal('--seed', 'missing.ndjson'), /missing\.ndjson cannot \(ENOENT\)/)
  assert.match(await refusal('--seed', 'broken.ndjson'), /broken\.ndjson: Line 2: name is missing/)
  assert.match(await refusal('--bug', 'nothing'), /--bug must be a name of docs\/bugs\.md, such as .*, got "nothing"/)
  assert.match(await refusal('--port', '0', '--host', '192.0.2.1'), /--host must be an address of this machine/)
  assert.match(await refusal('--port', '0', '--ttl', '1s', '--host', ''), /--host must be an address of this machine/)
})
