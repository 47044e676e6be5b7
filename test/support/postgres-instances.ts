import { after, before, type TestContext } from 'node:test'
import { Client } from 'pg'
import { PetStoreError } from '../../src/inventory/errors.ts'
import type { Storage } from '../../src/inventory/storage.ts'
import { openStorage } from '../../src/storage/open.ts'
import { type PostgresServer, startPostgres } from './postgres-server.ts'
import { type Proxy, startProxy } from './proxy.ts'

/** Opens several instances on databases of a server of the test file's own. */
export function postgresInstances() {
  let server: PostgresServer
  let databases = 0

  before(async () => {
    server = await startPostgres()
  })
  after(() => server.stop())

  async function asAdmin(work: (client: Client) => Promise<unknown>): Promise<void> {
    const client = new Client({ connectionString: server.url })
    await client.connect()
    await work(client)
    await client.end()
  }

  async function newDatabase(): Promise<string> {
    const name = `shop_${++databases}`
    await asAdmin((client) => client.query(`CREATE DATABASE ${name}`))
    return server.urlOf(name)
  }

  async function opened(t: TestContext, url: string): Promise<Storage> {
    const storage = await openStorage(url)
    t.after(() => storage.close())
    return storage
  }

  async function openBehindProxy(t: TestContext, url: string): Promise<{ storage: Storage; proxy: Proxy }> {
    const proxy = await startProxy(t, server.port)
    return { storage: await opened(t, url.replace(`:${server.port}`, `:${proxy.port}`)), proxy }
  }

  return { asAdmin, newDatabase, opened, openBehindProxy }
}

export async function connected(t: TestContext, url: string): Promise<Client> {
  const client = new Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  t.after(() => client.end())
  return client
}

export function isUnavailable(error: unknown): error is PetStoreError {
  return error instanceof PetStoreError && error.code === 'unavailable'
}
