import assert from 'node:assert/strict'
import { join } from 'node:path'
import { readFileSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { postgres, temporaryFolder } from '../support/engines.ts'
import { run, startService } from '../support/service.ts'

// The verbs on PostgreSQL. What they do is tested with SQLite; here, that they do it on this engine too.

test('postgres: serve makes the tables and a first key, and answers with it', async (t) => {
  const env = { PETSTORE_DATABASE_URL: await postgres.url(t) }

  const { origin, key, stop } = await startService(t, { env, args: ['--demo'] })
  const answer = await fetch(`${origin}/v1/pets?limit=1`, { headers: { authorization: `Bearer ${key}` } })
  const ready = await fetch(`${origin}/readyz`)

  assert.deepEqual([answer.status, ready.status], [200, 200])
  assert.deepEqual(await answer.json(), [{ id: 1, name: 'Rex', categoryId: 1, status: 'available' }])
  assert.equal(await stop(), 0)
})

test('postgres: a key that the command line revokes is refused by a running service within a second', async (t) => {
  const env = { PETSTORE_DATABASE_URL: await postgres.url(t) }
  const { origin, key } = await startService(t, { env })
  const headers = { authorization: `Bearer ${key}` }
  const before = await fetch(`${origin}/v1/pets`, { headers })

  const { code } = await run(t, ['keys', 'revoke', 'first key'], { env })
  await wait(1_100)
  const after = await fetch(`${origin}/v1/pets`, { headers })

  assert.deepEqual([before.status, code, after.status], [200, 0, 401])
})

test('postgres: what was imported is exported as it was', async (t) => {
  const env = { PETSTORE_DATABASE_URL: await postgres.url(t) }
  const folder = temporaryFolder(t)
  const file = join(folder, 'animals.ndjson')
  const names = ['Rex', 'a\tb\\n', '\\.', '\\N', '🐇 "x"', 'e\u0301', '\u202eabc']
  const lines = Array.from({ length: 12_000 }, (_none, index) =>
    JSON.stringify({ name: `${names[index % names.length]} ${index}`, categoryId: index, status: 'sold' }),
  )
  writeFileSync(file, lines.join('\n'))

  const imported = await run(t, ['import', file], { env })
  const exported = await run(t, ['export', join(folder, 'out.ndjson')], { env })

  assert.deepEqual([imported.code, exported.code], [0, 0], imported.stderr + exported.stderr)
  assert.deepEqual(readFileSync(join(folder, 'out.ndjson'), 'utf8').trim().split('\n').map(withoutId), lines)
})

test('postgres: import refuses a row and adds the rest, or nothing when told so', async (t) => {
  const env = { PETSTORE_DATABASE_URL: await postgres.url(t) }
  const input = '{"name":"Rex","categoryId":1}\n{"name":""}\n{"name":"Tom","categoryId":2}\n'

  const nothing = await run(t, ['import', '-', '--all-or-nothing'], { env, input })
  const rest = await run(t, ['import', '-'], { env, input })
  const { stdout } = await run(t, ['export'], { env })

  assert.deepEqual([nothing.code, rest.code], [1, 1])
  assert.equal(stdout, '{"id":1,"name":"Rex","categoryId":1}\n{"id":2,"name":"Tom","categoryId":2}\n')
})

function withoutId(line: string): string {
  return line.replace(/^\{"id":\d+,/, '{')
}
