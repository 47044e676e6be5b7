import assert from 'node:assert/strict'
import { test } from 'node:test'
import { migrations } from '../../../src/storage/postgres/schema/migrate.ts'
import { newPostgresDatabase, runSql } from '../../support/postgres-databases.ts'
import { runProcess } from '../../support/service.ts'

test('postgres: four processes that start at once on an empty database migrate it once', async (t) => {
  const url = await newPostgresDatabase()

  const ran = await Promise.all(
    Array.from({ length: 4 }, () => runProcess(t, ['migrate'], { env: { PETSTORE_DATABASE_URL: url } })),
  )

  assert.deepEqual(
    ran.map(({ code, stderr }) => [code, stderr]),
    ran.map(() => [0, '']),
  )
  assert.deepEqual(
    await runSql(url, 'SELECT name FROM petstore_migrations ORDER BY number'),
    migrations().map(({ name }) => [name]),
  )
})
