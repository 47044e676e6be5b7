import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { openStorage } from '../../src/storage/open.ts'
import { fillShop } from '../support/awkward-shop.ts'
import { postgres, sqlite, temporaryFolder } from '../support/engines.ts'
import { run, runProcess, startService } from '../support/service.ts'

// What is found is tested in test/storage/slow/check.test.ts; here, how it is told.

for (const engine of [sqlite, postgres]) {
  test(`${engine.name}: petstore check tells each rule that holds, with exit code 0`, async (t) => {
    const url = await engine.url(t)
    await fillShop(url)

    const { code, stdout, stderr } = await runProcess(t, ['check'], { env: { PETSTORE_DATABASE_URL: url } })

    assert.deepEqual([code, stderr], [0, ''])
    assert.match(stdout, /^(ok|skipped) +integrity +\S.*\.$/m)
    assert.match(stdout, /^ok +counts +The counts agree with the animals\.$/m)
    assert.match(stdout, /\n\n\S+: no errors found\.\n$/)
    assert.doesNotMatch(stdout, /wrong +/)
  })
}

test('petstore check tells in a sentence each what is wrong, with exit code 1', async (t) => {
  const env = await damaged(t)

  const { code, stdout, stderr } = await run(t, ['check'], { env })

  assert.deepEqual([code, stderr], [1, ''])
  assert.match(
    stdout,
    /^wrong {4}counts {13}Category 1 has a count of 1 animals with no status, but contains 0\.\n {28}All categories together have a count of 1 animals/m,
  )
  assert.match(
    stdout,
    /^wrong +events of animals +Event 1 \(pet\.created\) is about the animal 1, which does not exist\.$/m,
  )
  assert.match(stdout, /^ok +open orders +/m)
  assert.match(stdout, /\n\nsqlite:\S+: errors found, see above\.\n$/)
})

test('petstore check --json tells the same for programs', async (t) => {
  const env = await damaged(t)

  const { code, stdout } = await run(t, ['check', '--json'], { env })

  const { ok, database, checks } = JSON.parse(stdout) as {
    ok: boolean
    database: string
    checks: { name: string; result: string; sentences: string[]; more: boolean }[]
  }
  assert.deepEqual([code, ok, database], [1, false, env.PETSTORE_DATABASE_URL])
  assert.deepEqual(
    checks.filter(({ result }) => result === 'wrong').map(({ name }) => name),
    ['counts', 'search index', 'events of animals'],
  )
  assert.deepEqual(checks.at(-1), {
    name: 'events of orders',
    result: 'ok',
    sentences: ['The orders agree with the stored events.'],
    more: false,
  })
})

test('petstore check works while the service runs and writes', async (t) => {
  const service = await startService(t)
  const headers = { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ name: 'Rex', categoryId: 1 })
  const state = { isChecking: true }
  const writing = (async () => {
    while (state.isChecking) await fetch(`${service.origin}/v1/pets`, { method: 'POST', headers, body })
  })()

  const { code, stdout } = await run(t, ['check'], { cwd: service.cwd })
  state.isChecking = false
  await writing

  assert.equal(code, 0, stdout)
})

for (const [what, url, sentence] of [
  ['that is not there', 'sqlite:nowhere.db', 'There is no database nowhere.db to check.'],
  ['in memory', 'sqlite::memory:', 'An in-memory database cannot be checked: use a file.'],
] as const) {
  test(`petstore check refuses a database ${what} in one sentence`, async (t) => {
    const { code, stderr } = await run(t, ['check'], { env: { PETSTORE_DATABASE_URL: url } })

    assert.deepEqual([code, stderr], [1, `petstore: ${sentence}\n`])
  })
}

/** A database from which an animal was deleted by hand. */
async function damaged(t: TestContext): Promise<{ PETSTORE_DATABASE_URL: string }> {
  const path = join(temporaryFolder(t), 'petstore.db')
  const storage = await openStorage(`sqlite:${path}`, { environment: 'production' })
  await storage.pets.create({ name: 'Rex', categoryId: 1n })
  await storage.close()
  const db = new DatabaseSync(path)
  db.exec(`DELETE FROM pets`)
  db.close()
  return { PETSTORE_DATABASE_URL: `sqlite:${path}` }
}
