import assert from 'node:assert/strict'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { openStorage } from '../../src/storage/open.ts'
import { nextVersion } from '../support/next-version.ts'
import { type Engine, postgres, sqlite, temporaryFolder } from '../support/engines.ts'
import { runSql } from '../support/postgres-databases.ts'
import { run, runProcess, startService } from '../support/service.ts'

const staging = { PETSTORE_ENVIRONMENT: 'staging' }
const verbs = {
  serve: ['serve'],
  'serve --workers': ['serve', '--workers', '2'],
  'keys create': ['keys', 'create', '--name', 'till'],
  'keys list': ['keys', 'list'],
  migrate: ['migrate'],
  check: ['check'],
  import: ['import', 'animals.csv'],
  export: ['export', 'out.csv'],
}

test('staging and production have default database files of their own', async (t) => {
  const cwd = temporaryFolder(t)

  const made = [await runProcess(t, ['migrate'], { cwd }), await run(t, ['migrate'], { cwd, env: staging })]

  assert.deepEqual(
    made.map(({ stdout }) => stdout.replace(/: applied [\w, -]+/, '')),
    [
      'The database sqlite:./data/petstore.db is up to date.\n',
      'The database sqlite:./data/petstore-staging.db is up to date.\n',
    ],
  )
  assert.ok(existsSync(join(cwd, 'data/petstore.db')) && existsSync(join(cwd, 'data/petstore-staging.db')))
})

for (const engine of [sqlite, postgres]) {
  for (const [name, args] of Object.entries(verbs)) {
    test(`${engine.name}: ${name} refuses the database of the other environment in one sentence`, async (t) => {
      const { cwd, env } = await productionDatabase(t, engine)

      const { code, stdout, stderr } = await run(t, args, { cwd, env: { ...env, ...staging, PETSTORE_PORT: '0' } })

      assert.deepEqual([code, stdout], [1, ''])
      assert.match(
        stderr,
        /^petstore: The database \S+ belongs to production, but PETSTORE_ENVIRONMENT is staging: [^\n]+\n$/,
      )
    })
  }

  test(`${engine.name}: an existing database takes the environment that it is first started with`, async (t) => {
    const url = await engine.url(t)
    await (await openStorage(url)).close()
    const env = { PETSTORE_DATABASE_URL: url }

    const codes = [
      (await run(t, ['migrate'], { env: { ...env, ...staging } })).code,
      (await run(t, ['keys', 'list'], { env })).code,
      (await run(t, ['keys', 'list'], { env: { ...env, ...staging } })).code,
    ]

    assert.deepEqual(codes, [0, 1, 0])
  })

  test(`${engine.name}: a copy belongs to the environment of what was copied`, async (t) => {
    const { env } = await productionDatabase(t, engine)
    const to = `sqlite:${join(temporaryFolder(t), 'copy.db')}`

    const copied = await run(t, ['copy', '--from', env.PETSTORE_DATABASE_URL, '--to', to])

    assert.equal(copied.code, 0, copied.stderr)
    const list = ['keys', 'list']
    assert.equal((await run(t, list, { env: { PETSTORE_DATABASE_URL: to, ...staging } })).code, 1)
    assert.equal((await run(t, list, { env: { PETSTORE_DATABASE_URL: to } })).code, 0)
  })

  test(`${engine.name}: an empty database of the other environment is not copied into`, async (t) => {
    const from = `sqlite:${join(temporaryFolder(t), 'source.db')}`
    await (await openStorage(from, { environment: 'staging' })).close()
    const { env } = await productionDatabase(t, engine)

    const { code, stderr } = await run(t, ['copy', '--from', from, '--to', env.PETSTORE_DATABASE_URL])

    assert.equal(code, 1)
    assert.match(
      stderr,
      /^petstore: The database \S+ belongs to production, but \S+ to staging: copy into a new one\.\n$/,
    )
    assert.equal((await run(t, ['keys', 'list'], { env })).code, 0)
  })
}

test('a backup of the database of the other environment is refused in one sentence', async (t) => {
  const { cwd, env } = await productionDatabase(t, sqlite)

  const { code, stderr } = await run(t, ['backup', 'backup.db'], { cwd, env: { ...env, ...staging } })

  assert.equal(code, 1)
  assert.match(stderr, /^petstore: The database \S+ belongs to production, [^\n]+\n$/)
  assert.ok(!existsSync(join(cwd, 'backup.db')))
})

test('a database refused for its environment is not migrated', async (t) => {
  const { env } = await productionDatabase(t, sqlite)
  const path = env.PETSTORE_DATABASE_URL.slice('sqlite:'.length)
  const db = new DatabaseSync(path)
  const { main: program } = await nextVersion()

  const { code } = await run(t, ['migrate'], { program, env: { ...env, ...staging } })

  assert.equal(code, 1)
  assert.equal(db.prepare('PRAGMA user_version').get()?.['user_version'], 100)
  db.close()
})

test('the statement in docs/operating.md gives a database to the other environment', async (t) => {
  const { env } = await productionDatabase(t, postgres)

  await runSql(env.PETSTORE_DATABASE_URL, "UPDATE properties SET value = 'staging' WHERE name = 'environment'")

  const service = await startService(t, { env: { ...env, ...staging } })
  assert.match(service.key, /^pet_test_/)
})

/** An empty database that production has started. */
async function productionDatabase(t: TestContext, engine: Engine) {
  const cwd = temporaryFolder(t)
  writeFileSync(join(cwd, 'animals.csv'), 'name,categoryId\nRex,1\n')
  const url = await engine.url(t)
  await (await openStorage(url, { environment: 'production' })).close()
  return { cwd, env: { PETSTORE_DATABASE_URL: url } }
}
