import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { openStorage } from '../../src/storage/open.ts'
import { readServer } from '../../src/storage/postgres/connection/server.ts'
import { readDatabaseUrl } from '../../src/storage/shared/url.ts'
import { startPair } from '../support/postgres-pair.ts'
import { untilAvailable } from '../support/until.ts'
import { assertPassed } from '../support/promised-time.ts'

const rex = { name: 'Rex', categoryId: 1n, status: 'available' } as const

test('postgres: a URL may name several hosts, each with its port', () => {
  const { connectionStrings, shown } = readServer('postgres://rex:s,c@a:5432,b,[::1]:6000/pets?sslmode=require')

  assert.deepEqual(connectionStrings, [
    'postgres://rex:s,c@a:5432/pets?sslmode=require',
    'postgres://rex:s,c@b/pets?sslmode=require',
    'postgres://rex:s,c@[::1]:6000/pets?sslmode=require',
  ])
  assert.equal(shown, 'postgres://rex@a:5432,b,[::1]:6000/pets?sslmode=require')
})

test('postgres: a URL with an invalid host is refused', () => {
  assert.throws(() => readDatabaseUrl('postgres://rex:secret@a:5432,b:70000/pets'), {
    name: 'StorageError',
    message: 'No storage for "postgres://rex@a:5432,b:70000/pets": use sqlite: and a path, or postgres://.',
  })
})

for (const [role, refused, sentence] of [
  ['primary', 'standby', 'must be any or primary or read-write'],
  ['replica', 'primary', 'must be any or standby or prefer-standby or read-only'],
] as const) {
  test(`postgres: target_session_attrs=${refused} is refused for a ${role}`, () => {
    const url = `postgres://rex:secret@a:1,b:2/pets?target_session_attrs=${refused}`

    assert.throws(() => readServer(url, role), {
      name: 'StorageError',
      message: `The parameter target_session_attrs of postgres://rex@a:1,b:2/pets?target_session_attrs=${refused} ${sentence}.`,
    })
  })
}

test('postgres: of several hosts the primary is used, and the next primary after a failover', async (t) => {
  const pair = await startPair(t)
  const silent = await silentPort(t)
  // Asked one after the other, these alone would take five times as long as a start may.
  const hosts = [...Array.from({ length: 12 }, () => silent), pair.standby.port, pair.primary.port].map(
    (port) => `127.0.0.1:${port}`,
  )
  const url = `postgres://postgres@${hosts.join(',')}/postgres?target_session_attrs=read-write`
  const started = performance.now()
  const storage = await openStorage(url)
  t.after(() => storage.close())
  await storage.pets.create(rex)
  assertPassed(4_000, started)
  await pair.caughtUp()

  await pair.primary.kill()
  await pair.promote()

  // Each asks until there is a connection to the next one.
  const creation = await untilAvailable(() => storage.pets.create(rex))
  const { items } = await untilAvailable(() => storage.pets.list({}, 20, 0n))
  assert.deepEqual(creation, { outcome: 'created', pet: { id: 2n, ...rex } })
  assert.deepEqual(
    items.map(({ id }) => id),
    [1n, 2n],
  )
})

/** Accepts connections and says nothing. */
async function silentPort(t: TestContext): Promise<number> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => void sockets.add(socket.on('error', () => undefined))).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return (server.address() as AddressInfo).port
}
