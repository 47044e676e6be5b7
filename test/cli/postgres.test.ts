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

test('postgres: workers see writes of each other at once', async (t) => {
  const env = { PETSTORE_DATABASE_URL: await postgres.url(t), PETSTORE_API_KEY: 'a-key-for-all-workers' }
  const { origin, stop } = await startService(t, { env, args: ['--workers', '2'] })
  const headers = { authorization: `Bearer ${env.PETSTORE_API_KEY}`, connection: 'close' }

  for (let created = 1; created <= 20; created++) {
    const body = JSON.stringify({ name: `pet ${created}`, categoryId: 1 })
    const init = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body }
    const answer = await fetch(`${origin}/v1/pets`, init)
    const list = await fetch(`${origin}/v1/pets?limit=100`, { headers })

    assert.equal(((await answer.json()) as { id: number }).id, created)
    assert.equal(((await list.json()) as unknown[]).length, created)
  }
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

test('postgres: no command shows the password', async (t) => {
  const url = new URL(await postgres.url(t))
  url.password = 'top-secret'
  const env = { PETSTORE_DATABASE_URL: url.href, PETSTORE_PORT: '0' }
  const unreachable = { PETSTORE_DATABASE_URL: 'postgres://rex:top-secret@127.0.0.1:1/petstore' }
  const malformed = { PETSTORE_DATABASE_URL: 'postgres://rex:top-secret@127.0.0.1' }
  const { output, stop } = await startService(t, { env })
  await stop()

  const ran = await Promise.all([
    run(t, ['migrate'], { env }),
    run(t, ['backup', 'animals.dump'], { env }),
    run(t, ['serve'], { env: unreachable }),
    run(t, ['serve'], { env: malformed }),
  ])

  assert.deepEqual(
    ran.map(({ code }) => code),
    [0, 1, 1, 1],
  )
  assert.match(ran[0].stdout, /is up to date: nothing had to be changed\.\n$/)
  assert.match(ran[1].stderr, /pg_dump/)
  for (const { stdout, stderr } of [output, ...ran]) {
    assert.doesNotMatch(stdout + stderr, /top-secret/)
    assert.doesNotMatch(stderr, /\n\s+at /)
  }
})

function withoutId(line: string): string {
  return line.replace(/^\{"id":\d+,/, '{')
}
