import { Client, types } from 'pg'
import postgres from 'postgres'
import { startPostgres } from '../../test/support/postgres-server.ts'

// Which driver? The statements of the engine, sent through each candidate in turn, over 4 connections with 64 callers.
// node bench/studies/postgres-drivers.ts, after npm ci in bench/. Prints a table; see docs/decisions/0010-the-postgresql-driver.md.

type Value = number | string | string[]

interface Driver {
  name: string
  query(name: string, text: string, values: Value[]): Promise<unknown[][]>
  /** BEGIN, the statements, COMMIT, in as few round trips as the driver can. */
  transaction(statements: readonly [name: string, text: string, values: Value[]][]): Promise<void>
  close(): Promise<void>
}

const connections = 4
const callers = 64
const seconds = 3
const rounds = 3
const animals = 100_000

const one = 'SELECT id, name, category_id, status FROM pets WHERE id = $1'
const page = 'SELECT id, name, category_id, status FROM pets WHERE id > $1 ORDER BY id LIMIT $2'
const lock = 'SELECT last FROM counters FOR UPDATE'
const add = `
  WITH counter AS (UPDATE counters SET last = last + $1::int8 RETURNING last - $1::int8 AS base)
  INSERT INTO pets SELECT base + nth, name, 1, 'sold' FROM counter, unnest($2::text[]) WITH ORDINALITY AS asked (name, nth)`
const names = Array.from({ length: 32 }, (_none, index) => `animal ${index}`)

async function pgPipelined(url: string): Promise<Driver> {
  const exact = {
    getTypeParser: (oid: number, format?: 'text') => (oid === 20 ? BigInt : types.getTypeParser(oid, format)),
  } as unknown as typeof types
  const clients = Array.from(
    { length: connections },
    () => new Client({ connectionString: url, pipeline: true, types: exact }),
  )
  await Promise.all(clients.map((client) => client.connect()))
  let turn = 0
  const next = () => clients[turn++ % connections] as Client
  return {
    name: 'pg, pipelined',
    query: async (name, text, values) => (await next().query({ name, text, values, rowMode: 'array' })).rows,
    async transaction(statements) {
      const client = next()
      await Promise.all([
        client.query('BEGIN'),
        ...statements.map(([name, text, values]) => client.query({ name, text, values, rowMode: 'array' })),
        client.query('COMMIT'),
      ])
    },
    async close() {
      await Promise.all(clients.map((client) => client.end()))
    },
  }
}

async function postgresJs(url: string): Promise<Driver> {
  const sql = postgres(url, { max: connections, types: { bigint: postgres.BigInt }, onnotice: () => undefined })
  const run = (on: postgres.Sql, text: string, values: Value[]) => on.unsafe(text, values, { prepare: true }).values()
  return {
    name: 'postgres.js',
    query: async (_name, text, values) => run(sql, text, values),
    async transaction(statements) {
      await sql.begin((on) => statements.map(([, text, values]) => run(on as unknown as postgres.Sql, text, values)))
    },
    close: () => sql.end(),
  }
}

/** Operations a second, and CPU of this process for each, in microseconds. */
async function measure(work: () => Promise<unknown>, together: number): Promise<{ rate: number; cpu: number }> {
  let done = 0
  let end = performance.now() + 500
  const caller = async () => {
    while (performance.now() < end) {
      await work()
      done++
    }
  }
  await Promise.all(Array.from({ length: together }, caller))
  done = 0
  const started = performance.now()
  const before = process.cpuUsage()
  end = started + seconds * 1_000
  await Promise.all(Array.from({ length: together }, caller))
  const { user, system } = process.cpuUsage(before)
  return { rate: (done * 1_000) / (performance.now() - started), cpu: (user + system) / done }
}

const server = await startPostgres()
const setup = new Client(server.url)
await setup.connect()
await setup.query(`
  CREATE TABLE counters (last int8); INSERT INTO counters VALUES (${animals});
  CREATE TABLE pets (id int8 PRIMARY KEY, name text, category_id int8, status text);
  INSERT INTO pets SELECT n, 'animal ' || n, n % 10, 'sold' FROM generate_series(1, ${animals}) AS n; ANALYZE`)
await setup.end()

const drivers = [await pgPipelined(server.url), await postgresJs(server.url)]
const id = () => 1 + Math.floor(Math.random() * (animals - 100))
const questions: [what: string, together: number, ask: (driver: Driver) => Promise<unknown>][] = [
  ['get one', callers, (driver) => driver.query('one', one, [id()])],
  ['list 20', callers, (driver) => driver.query('page', page, [id(), 21])],
  // One group after the other, as the writer sends them.
  [
    'create, in groups of 32',
    1,
    (driver) =>
      driver.transaction([
        ['lock', lock, []],
        ['add', add, [32, names]],
      ]),
  ],
]
console.log('| | driver | a second | CPU µs each |\n|---|---|---|---|')
for (const [what, together, ask] of questions) {
  const found = new Map(drivers.map(({ name }) => [name, [] as { rate: number; cpu: number }[]]))
  for (let round = 0; round < rounds; round++) {
    for (const driver of drivers) found.get(driver.name)?.push(await measure(() => ask(driver), together))
  }
  for (const [name, measured] of found) {
    const middle = measured.toSorted((a, b) => a.rate - b.rate)[Math.floor(rounds / 2)]
    console.log(`| ${what} | ${name} | ${Math.round(middle?.rate ?? 0)} | ${(middle?.cpu ?? 0).toFixed(1)} |`)
  }
}
await Promise.all(drivers.map((driver) => driver.close()))
await server.stop()
