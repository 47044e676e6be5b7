import { randomBytes } from 'node:crypto'
import { after, type TestContext } from 'node:test'
import { Client } from 'pg'
import { addedKinds } from '../../src/inventory/snapshot.ts'
import { type PostgresServer, startPostgres } from './postgres-server.ts'

interface Database {
  name: string
  /** Empties the tables. */
  client: Client
}

let own: PostgresServer | undefined
let admin: Promise<Client> | undefined
const all: string[] = []
const free: Database[] = []
/** Of the free databases and of those in use: a hook of a test file may run after ours. */
const clients: Client[] = []

/**
 * The URL of an empty database, whose tables may exist. A test file reuses its databases: emptying tables takes a tenth
 * of the time of creating them.
 */
export async function postgresDatabase(t: TestContext): Promise<string> {
  const database = free.pop() ?? (await makeForReuse())
  await empty(database)
  t.after(() => free.push(database))
  return urlOf(database.name)
}

async function makeForReuse(): Promise<Database> {
  const url = await newPostgresDatabase()
  const client = await connect(url)
  clients.push(client)
  return { name: new URL(url).pathname.slice(1), client }
}

const tables = [...addedKinds, 'properties', 'category_counts']

const zeroTotals = 'UPDATE pet_totals SET available = 0, pending = 0, sold = 0, none = 0'
const forgetCopy = 'DROP TABLE IF EXISTS unfinished_copy'
const forgetDeliveries =
  'DELETE FROM delivery_positions; DELETE FROM delivery_tries; UPDATE delivery_lease SET generation = 0, expires_at = 0'
/** Ids begin at 1 again: those of a test do not depend on which one had the database before. */
const restartIds = 'SELECT setval(seqrelid::regclass, seqstart, false) FROM pg_sequence'

// TRUNCATE would create new files for every table and index.
async function empty({ client }: Database): Promise<void> {
  const deletes = tables.map((table) => `DELETE FROM ${table}`)
  await client
    .query(
      [...deletes, 'UPDATE counters SET last = 0', zeroTotals, forgetDeliveries, forgetCopy, restartIds].join('; '),
    )
    .catch((error: { code?: string }) => {
      if (error.code !== '42P01') throw error // The tables do not exist yet.
    })
}

/** A new database without tables. */
export async function newPostgresDatabase(encoding = 'UTF8'): Promise<string> {
  const name = `petstore_test_${randomBytes(6).toString('hex')}`
  await makeDatabase(name, encoding)
  return urlOf(name)
}

/** Runs SQL on a connection of its own, like another program. */
export async function runSql(url: string, sql: string): Promise<unknown[][]> {
  const [rows = []] = await runAll(url, [sql])
  return rows
}

/** Runs several statements in one session. */
export async function runAll(url: string, statements: readonly string[]): Promise<unknown[][][]> {
  const client = await connect(url)
  try {
    const results: unknown[][][] = []
    for (const text of statements) results.push((await client.query({ text, rowMode: 'array' })).rows)
    return results
  } finally {
    await client.end()
  }
}

async function makeDatabase(name: string, encoding: string): Promise<void> {
  await (await connectAdmin()).query(`CREATE DATABASE ${name} TEMPLATE template0 ENCODING '${encoding}' LOCALE 'C'`)
  all.push(name)
}

async function urlOf(name: string): Promise<string> {
  const url = new URL(await serverUrl())
  url.pathname = `/${name}`
  return url.href
}

/** The server of all test files, otherwise one for this file alone. */
async function serverUrl(): Promise<string> {
  const given = process.env['PETSTORE_TEST_DATABASE_URL']
  if (given !== undefined) return given
  own ??= await startPostgres()
  return own.url
}

function connectAdmin(): Promise<Client> {
  admin ??= serverUrl().then(connect)
  return admin
}

/** A stuck server fails the test by name before the test's own timeout. */
const timeouts = { connectionTimeoutMillis: 30_000, query_timeout: 60_000 }

async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url, ...timeouts })
  client.on('error', () => undefined)
  await client.connect().catch((cause: Error) => {
    throw new Error(`No connection to the PostgreSQL server of the tests: ${cause.message}`, { cause })
  })
  return client
}

after(async () => {
  const client = await admin
  for (const each of clients) await each.end()
  // Our own server is removed with its databases. (To drop a database, PostgreSQL waits for all its processes.)
  const isOurs = own !== undefined || process.env['PETSTORE_TEST_SERVER_IS_OURS'] !== undefined
  if (!isOurs) for (const name of all) await client?.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
  await client?.end()
  await own?.stop()
})
