import assert from 'node:assert/strict'
import { test } from 'node:test'
import { postgres } from '../../support/engines.ts'
import { run, startService } from '../../support/service.ts'

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
