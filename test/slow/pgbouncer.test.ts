import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { Storage } from '../../src/inventory/storage.ts'
import { openStorage } from '../../src/storage/open.ts'
import { postgres, temporaryFolder } from '../support/engines.ts'
import { freePort } from '../support/ports.ts'
import { startPostgres } from '../support/postgres-server.ts'

const rex = { name: 'Rex', categoryId: 1n, status: 'available' } as const
const program = ['pgbouncer', '/usr/sbin/pgbouncer'].find((path) => spawnSync(path, ['--version']).status === 0)
const skip = program === undefined && 'pgbouncer is not installed'
if (skip) process.stderr.write('test/slow/pgbouncer.test.ts is skipped: pgbouncer is not installed.\n')

test('pgbouncer in transaction mode: animals, orders, keys, Idempotency-Keys and imports work', { skip }, async (t) => {
  const storage = await openBehindPooler(t)
  const idempotencyKey = { keyId: 'key_a', name: 'once', fingerprint: 'x' }
  await storage.keys.create({ id: 'key_a', name: 'a', permission: 'write', hash: 'hash', createdAt: 0 })

  const creation = await storage.pets.create(rex, idempotencyKey)
  const again = await storage.pets.create(rex, idempotencyKey)
  async function* parts() {
    yield [rex]
    yield [rex]
  }
  const step = { key: { ...idempotencyKey, name: 'file' }, before: undefined, body: '{}' }
  const isAdded = await storage.imports.add(parts(), () => step)

  const placement = await storage.orders.place({ petId: 1n })
  const closing = await storage.orders.update(1n, { status: 'cancelled' })

  assert.deepEqual([creation.outcome, again.outcome, isAdded], ['created', 'replayed', true])
  assert.deepEqual([placement.outcome, closing.outcome], ['placed', 'updated'])
  assert.deepEqual(
    (await storage.pets.list({ status: 'available' }, 20, 0n)).items.map(({ id }) => id),
    [1n, 2n, 3n],
  )
  assert.equal((await storage.keys.find('hash'))?.id, 'key_a')
  await storage.check()
})

test('pgbouncer in transaction mode: several instances read and write at once', { skip }, async (t) => {
  const { url } = await startPooler(t)
  const instances = await Promise.all([openStorage(url), openStorage(url), openStorage(url)])
  t.after(() => Promise.all(instances.map((instance) => instance.close())))

  const ids = await Promise.all(
    instances.flatMap(({ pets }) =>
      Array.from({ length: 100 }, async () => {
        const creation = await pets.create(rex)
        const pet = 'pet' in creation ? creation.pet : undefined
        assert.deepEqual(await pets.find(pet?.id ?? 0n), pet)
        return pet?.id
      }),
    ),
  )

  assert.equal(new Set(ids).size, 300)
  assert.equal(await instances[0].pets.count({}), 300n)
})

test('pgbouncer that restarts: requests are unavailable meanwhile and served afterwards', { skip }, async (t) => {
  const pooler = await startPooler(t)
  const storage = await openStorage(pooler.url)
  t.after(() => storage.close())
  await storage.pets.create(rex)

  await pooler.stop()
  await assert.rejects(storage.pets.create(rex), { code: 'unavailable' })
  await assert.rejects(storage.pets.find(1n), { code: 'unavailable' })
  await pooler.start()

  assert.deepEqual(await storage.pets.find(1n), { id: 1n, ...rex })
  assert.equal((await storage.pets.create(rex)).outcome, 'created')
})

test('pgbouncer in front of a standby: nothing is served', { skip }, async (t) => {
  const server = await startPostgres()
  t.after(() => server.stop())
  const { url } = await startPooler(t, server.url)
  const storage = await openStorage(url)
  t.after(() => storage.close())
  const reads = [() => storage.pets.find(1n), () => storage.events.list(20), () => storage.keys.list()]
  // So that connections to the pooler are there, which it keeps.
  for (const read of reads) await read()

  await server.kill()
  writeFileSync(join(server.data, 'standby.signal'), '')
  await server.start()

  for (const read of reads) await assert.rejects(read, { code: 'unavailable' })
})

async function openBehindPooler(t: TestContext): Promise<Storage> {
  const { url } = await startPooler(t)
  const storage = await openStorage(url)
  t.after(() => storage.close())
  return storage
}

/** With fewer connections to the server than we have to it, so that they really are shared. */
async function startPooler(
  t: TestContext,
  targetUrl?: string,
): Promise<{ url: string; stop(): Promise<void>; start(): Promise<void> }> {
  const target = new URL(targetUrl ?? (await postgres.url(t)))
  const folder = temporaryFolder(t)
  const port = await freePort()
  const settings = join(folder, 'pgbouncer.ini')
  const password = target.password === '' ? '' : `password=${target.password}`
  writeFileSync(
    settings,
    `[databases]
${target.pathname.slice(1)} = host=${target.hostname} port=${target.port} user=${target.username} ${password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 3
`,
  )
  // It refuses to run as root.
  const isRoot = process.getuid?.() === 0
  if (isRoot) for (const path of [folder, settings]) chownSync(path, 65534, 65534)
  const run = () =>
    spawn(program ?? '', [settings], { stdio: ['ignore', 'ignore', 'pipe'], ...(isRoot && { uid: 65534, gid: 65534 }) })
  let child = run()
  t.after(() => child.kill('SIGKILL'))

  async function ready(): Promise<void> {
    const started = child
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    let log = ''
    // Read its log for as long as it runs: it blocks once nobody reads the pipe and it is full.
    started.stderr.on('data', (text: Buffer) => {
      if (log.length < 10_000) log += String(text)
      if (/process up/.test(log)) resolve()
    })
    started.once('close', () => reject(new Error(`pgbouncer did not start: ${log}`)))
    await promise
  }

  await ready()
  return {
    url: `postgres://postgres@127.0.0.1:${port}${target.pathname}?pooler=transaction`,
    async stop() {
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
    async start() {
      child = run()
      await ready()
    },
  }
}
