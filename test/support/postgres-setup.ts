import { type PostgresServer, startPostgres } from './postgres-server.ts'

// For `node --test --test-global-setup`: one PostgreSQL server for all test files, unless one is given.

let server: PostgresServer | undefined

export async function globalSetup(): Promise<void> {
  if (process.env['PETSTORE_TEST_DATABASE_URL'] !== undefined) return
  server = await startPostgres()
  process.env['PETSTORE_TEST_DATABASE_URL'] = server.url
  process.env['PETSTORE_TEST_SERVER_IS_OURS'] = 'yes'
}

export async function globalTeardown(): Promise<void> {
  await server?.stop()
}
