import { createHash } from 'node:crypto'
import { Client } from 'pg'
import { openStorage } from '../src/storage/open.ts'
import { animal } from './data.ts'
import { addKey } from './fill.ts'

const batch = 10_000

/** Our own database: the real schema, a key, and the animals by the way that imports take. */
export async function fillOursOnServer(url: string, animals: number, key: string): Promise<void> {
  await makeDatabase(url)
  const storage = await openStorage(url)
  await addKey(storage, key)
  async function* parts() {
    for (const ids of batches(animals))
      yield ids.map((id) => animal(id)).map((pet) => ({ ...pet, categoryId: BigInt(pet.categoryId) }))
  }
  await storage.imports.add(parts())
  await storage.close()
  await settle(url)
}

/** What a peer that is plainly written would make: two tables and the index that its filter needs. */
export async function fillPeerOnServer(url: string, animals: number, key: string): Promise<void> {
  await makeDatabase(url)
  await run(url, [
    `CREATE TABLE pets (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text NOT NULL, category_id bigint NOT NULL, status text)`,
    'CREATE INDEX pets_by_status ON pets (status)',
    'CREATE TABLE api_keys (hash text PRIMARY KEY)',
    `INSERT INTO api_keys VALUES ('${createHash('sha256').update(key).digest('hex')}')`,
  ])
  for (const ids of batches(animals)) {
    const pets = ids.map((id) => animal(id))
    const columns = [
      pets.map(({ name }) => name),
      pets.map(({ categoryId }) => categoryId),
      pets.map(({ status }) => status),
    ]
    const insert = `INSERT INTO pets (name, category_id, status)
      SELECT name, category_id, status FROM unnest($1::text[], $2::bigint[], $3::text[])
        WITH ORDINALITY AS pet (name, category_id, status, nth) ORDER BY nth`
    await run(url, [insert], columns)
  }
  await settle(url)
}

export async function countOnServer(url: string): Promise<number> {
  const [[animals] = ['']] = (await run(url, ['SELECT count(*) FROM pets'])) as [string][]
  return Number(animals)
}

export async function versionOf(url: string): Promise<string> {
  const [[version] = ['']] = (await run(url, ['SHOW server_version'])) as [string][]
  return version
}

function batches(animals: number): number[][] {
  return Array.from({ length: Math.ceil(animals / batch) }, (_, nth) =>
    Array.from({ length: Math.min(batch, animals - nth * batch) }, (_, index) => nth * batch + index + 1),
  )
}

async function makeDatabase(url: string): Promise<void> {
  const { pathname } = new URL(url)
  await run(new URL('/postgres', url).href, [`CREATE DATABASE ${pathname.slice(1)}`])
}

// What the server still had to write or to clean would be done during the first measurements.
function settle(url: string): Promise<unknown[][]> {
  return run(url, ['VACUUM ANALYZE', 'CHECKPOINT'])
}

async function run(url: string, statements: readonly string[], values: unknown[] = []): Promise<unknown[][]> {
  const client = new Client(url)
  await client.connect()
  try {
    let rows: unknown[][] = []
    for (const text of statements) ({ rows } = await client.query({ text, values, rowMode: 'array' }))
    return rows
  } finally {
    await client.end()
  }
}
