import { createHash } from 'node:crypto'
import { closeSync, fsyncSync, openSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { keyHash, newKeyId } from '../src/inventory/key-secret.ts'
import type { Storage } from '../src/inventory/storage.ts'
import { openStorage } from '../src/storage/open.ts'
import { countRows } from '../src/storage/sqlite/schema/counts.ts'
import { openForWriting } from '../src/storage/sqlite/connection/database.ts'
import { indexNames } from '../src/storage/sqlite/schema/name-index.ts'
import { animal } from './data.ts'

export async function addKey({ keys }: Storage, key: string): Promise<void> {
  const facts = { name: 'bench', permission: 'write', createdAt: Date.now() } as const
  await keys.create({ id: newKeyId(), hash: keyHash(key), ...facts })
}

/** Our own database: the real schema, made by the service's own migrations, filled and counted. */
export async function fillOurs(path: string, animals: number, key: string): Promise<void> {
  const storage = await openStorage(`sqlite:${path}`)
  await addKey(storage, key)
  await storage.close()
  insertAnimals(path, 'pets', animals)
  const db = openForWriting(path)
  countRows(db, 'pets')
  indexNames(db)
  db.close()
}

/** What a peer that is plainly written would make: two tables and the index that its filter needs. */
export function fillPeer(path: string, animals: number, key: string): void {
  const db = new DatabaseSync(path)
  db.exec(`
    CREATE TABLE pets (id INTEGER PRIMARY KEY, name TEXT NOT NULL, category_id INTEGER NOT NULL, status TEXT);
    CREATE INDEX pets_by_status ON pets (status);
    CREATE TABLE api_keys (hash TEXT PRIMARY KEY) WITHOUT ROWID`)
  db.prepare('INSERT INTO api_keys VALUES (?)').run(createHash('sha256').update(key).digest('hex'))
  db.close()
  insertAnimals(path, 'pets', animals)
}

export function fillJson(path: string, animals: number): void {
  const pets = Array.from({ length: animals }, (_, index) => animal(index + 1))
  writeFileSync(path, JSON.stringify({ pets }))
}

function insertAnimals(path: string, table: string, animals: number): void {
  const db = new DatabaseSync(path)
  // Nobody else looks yet, and a file that a crash spoils is thrown away: no journal. Whoever serves it sets WAL again.
  db.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -262144')
  const insert = db.prepare(`INSERT INTO ${table} (name, category_id, status) VALUES (?, ?, ?)`)
  db.exec('BEGIN')
  for (let id = 1; id <= animals; id++) {
    const { name, categoryId, status } = animal(id)
    insert.run(name, categoryId, status)
  }
  db.exec('COMMIT')
  db.close()
  flush(path)
}

// What the kernel still had to write would be written during the first measurements, beside their fsyncs.
function flush(path: string): void {
  const file = openSync(path, 'r+')
  fsyncSync(file)
  closeSync(file)
}

/** How many animals are in a database, read past the server that has it open. */
export function countAnimals(path: string): number {
  const db = new DatabaseSync(path, { readOnly: true, timeout: 1_000 })
  const { animals } = db.prepare('SELECT count(*) AS animals FROM pets').get() as { animals: number }
  db.close()
  return animals
}
