import assert from 'node:assert/strict'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, type TestContext } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { Client } from 'pg'
import { PetStoreError } from '../../src/inventory/errors.ts'
import type { Storage } from '../../src/inventory/storage.ts'
import { openStorage } from '../../src/storage/open.ts'
import { type PostgresServer, startPostgres } from './postgres-server.ts'
import { assertWithin } from './promised-time.ts'

export const rex = { name: 'Rex', categoryId: 1n, status: 'available' } as const
/**
 * By when a request is answered, whatever the database does, and by when all is well after its return. In milliseconds.
 */
export const answered = 3_000
export const recovered = 5_000

/** A server of the test file's own, with few connections, that its tests may kill and hang. */
export function breakablePostgres() {
  let server: PostgresServer
  let databases = 0

  before(async () => {
    server = await startPostgres({
      durable: true,
      settings: { max_connections: 20, superuser_reserved_connections: 1 },
    })
  })
  after(() => server.stop())

  async function restartAs(role: 'standby' | 'primary'): Promise<void> {
    const signal = join(server.data, 'standby.signal')
    if (role === 'standby') writeFileSync(signal, '')
    else rmSync(signal)
    await server.start()
  }

  async function newDatabase(): Promise<string> {
    const name = `faults_${++databases}`
    const client = await connected(server.url)
    await client.query(`CREATE DATABASE ${name}`)
    await client.end()
    return server.urlOf(name)
  }

  /** The engine on a database of its own, and a connection that plays another program. */
  async function opened(t: TestContext): Promise<{ storage: Storage; url: string; admin: Client }> {
    const url = await newDatabase()
    const storage = await openStorage(url)
    const admin = await connected(url)
    t.after(async () => {
      await storage.close()
      await admin.end().catch(() => undefined)
    })
    return { storage, url, admin }
  }

  /** Stops every process of the server where it is, as a machine that stands still would. */
  async function hang(t: TestContext): Promise<{ resume(): void }> {
    const pids = [server.child.pid as number, ...(await backends())]
    for (const pid of pids) process.kill(pid, 'SIGSTOP')
    const resume = () => {
      for (const pid of pids.splice(0)) process.kill(pid, 'SIGCONT')
    }
    t.after(resume)
    return { resume }
  }

  async function backends(): Promise<number[]> {
    const client = await connected(server.url)
    const { rows } = await client.query('SELECT pid FROM pg_stat_activity WHERE pid <> pg_backend_pid()')
    await client.end()
    return (rows as { pid: number }[]).map(({ pid }) => pid)
  }

  return {
    get server() {
      return server
    },
    restartAs,
    newDatabase,
    opened,
    hang,
    backends,
  }
}

export async function connected(url: string): Promise<Client> {
  const client = new Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  return client
}

export async function assertUnavailable({ pets, keys, check }: Storage): Promise<void> {
  const requests = [
    pets.list({}, 20, 0n),
    pets.find(1n),
    pets.count({}),
    pets.create(rex),
    pets.create(rex, { keyId: 'key_a', name: 'once', fingerprint: 'x' }),
    keys.find('hash'),
    keys.list(),
    check(),
  ]
  await assertWithin(answered, Promise.all(requests.map((request) => assert.rejects(request, isUnavailable))))
}

/** All is well within the time that a recovery may take, and nothing was lost. */
export async function assertServes(storage: Storage): Promise<void> {
  await assertWithin(
    recovered,
    eventually(async () => {
      await storage.check()
      const creation = await storage.pets.create(rex)
      assert.ok('pet' in creation)
      assert.deepEqual(await storage.pets.find(creation.pet.id), creation.pet)
    }),
  )
  const { items } = await storage.pets.list({}, 1_000, 0n)
  assert.deepEqual(
    items.map(({ id }) => id),
    items.map((_pet, index) => BigInt(index + 1)),
  )
  assert.equal(await storage.pets.count({}), BigInt(items.length))
}

export async function eventually(work: () => Promise<void>): Promise<void> {
  const deadline = performance.now() + 2 * recovered
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!isUnavailable(error) || performance.now() > deadline) throw error
      await wait(50)
    }
  }
}

export function isUnavailable(error: unknown): boolean {
  return error instanceof PetStoreError && error.code === 'unavailable'
}
