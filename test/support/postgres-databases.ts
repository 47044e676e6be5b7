import { randomBytes } from 'node:crypto'
import { after, type TestContext } from 'node:test'
import { Client } from 'pg'
import { type PostgresServer, startPostgres } from './postgres-server.ts'

let own: PostgresServer | undefined
let admin: Promise<Client> | undefined
const all: string[] = []
const free: string[] = []

/**
 * The URL of an empty database, whose tables may be there already. A test file uses one again and again: emptying tables
 * takes a tenth of the time that making them does.
 */
export async function postgresDatabase(t: TestContext): Promise<string> {
  const used = free.pop()
  const name = used ?? `petstore_test_${randomBytes(6).toString('hex')}`
  if (used === undefined) await makeDatabase(name)
  else await empty(await urlOf(name))
  t.after(() => free.push(name))
  return urlOf(name)
}

/** A new database, with nothing in it. */
export async function newPostgresDatabase(): Promise<string> {
  const name = `petstore_test_${randomBytes(6).toString('hex')}`
  await makeDatabase(name)
  return urlOf(name)
}

/** Runs SQL as another program would, on a connection of its own. */
export async function runSql(url: string, sql: string): Promise<unknown[][]> {
  const client = await connect(url)
  try {
    return (await client.query({ text: sql, rowMode: 'array' })).rows
  } finally {
    await client.end()
  }
}

async function makeDatabase(name: string): Promise<void> {
  await (await connectAdmin()).query(`CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8'`)
  all.push(name)
}

async function empty(url: string): Promise<void> {
  await runSql(
    url,
    `TRUNCATE pets, pet_counts, api_keys, attempts, imports RESTART IDENTITY; UPDATE counters SET last = 0`,
  ).catch((error: { code?: string }) => {
    if (error.code !== '42P01') throw error // The test before made no tables.
  })
}

async function urlOf(name: string): Promise<string> {
  const url = new URL(await serverUrl())
  url.pathname = `/${name}`
  return url.href
}

/** The server for all test files, or else one for this file alone. */
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

async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  return client
}

after(async () => {
  const client = await admin
  for (const name of all) await client?.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
  await client?.end()
  await own?.stop()
})
