import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { inspectStorage } from '../../../src/storage/inspect.ts'
import { openStorage } from '../../../src/storage/open.ts'
import { type PostgresServer, startPostgres } from '../../support/postgres-server.ts'
import { demandTls } from '../../support/tls-postgres.ts'

const advice =
  /add \?sslmode=verify-full&sslrootcert=FILE to the URL \(docs\/postgresql\.md\); otherwise allow this user/

let server: PostgresServer
let folder: string
let tls: ReturnType<typeof demandTls>
before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'petstore-test-'))
  chmodSync(folder, 0o755)
  tls = demandTls(folder)
  server = await startPostgres({ settings: tls.settings })
})
after(async () => {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
})

test('postgres: a server that demands TLS is told apart from one that does not know the user, by start and doctor', async () => {
  await assert.rejects(openStorage(server.url), { name: 'StorageError', message: advice })
  await assert.rejects(inspectStorage(server.url), { message: advice })
})

test('postgres: a URL that names the authority of the server is enough', async () => {
  const storage = await openStorage(server.url + tls.parameters)
  await storage.check()
  await storage.close()
})

for (const mode of ['require', 'verify-ca', 'prefer']) {
  test(`postgres: sslmode=${mode} checks the certificate of the server, unlike libpq`, async () => {
    await assert.rejects(openStorage(`${server.url}?sslmode=${mode}`), {
      message: /has a certificate that is not trusted .*: name its authority with sslrootcert/,
    })
  })
}
