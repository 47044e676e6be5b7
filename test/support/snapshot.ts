import { type Snapshot, type Kind, kinds, type Row } from '../../src/inventory/snapshot.ts'
import type { CopyTarget } from '../../src/inventory/snapshot.ts'
import { readDatabaseUrl } from '../../src/storage/shared/url.ts'
import * as postgresSource from '../../src/storage/postgres/upkeep/snapshot.ts'
import * as postgresTarget from '../../src/storage/postgres/upkeep/copy-target.ts'
import * as sqliteSource from '../../src/storage/sqlite/upkeep/snapshot.ts'
import * as sqliteTarget from '../../src/storage/sqlite/upkeep/copy-target.ts'

export async function openSource(url: string): Promise<Snapshot> {
  const database = readDatabaseUrl(url)
  return database.engine === 'sqlite' ? sqliteSource.openSource(database.path) : postgresSource.openSource(database.url)
}

export async function openTarget(url: string): Promise<CopyTarget> {
  const database = readDatabaseUrl(url)
  return database.engine === 'sqlite'
    ? sqliteTarget.openCopyTarget(database.path)
    : postgresTarget.openCopyTarget(database.url)
}

/** All rows of all kinds. */
export async function allRows(snapshot: Snapshot): Promise<Record<Kind, Row[]>> {
  const all: Partial<Record<Kind, Row[]>> = {}
  for (const kind of kinds) all[kind] = await snapshot.rows(kind, 1_000_000)
  return all as Record<Kind, Row[]>
}

/** All rows of an intact database. */
export async function rowsIn(url: string): Promise<Record<Kind, Row[]>> {
  const snapshot = await openSource(url)
  try {
    return await allRows(snapshot)
  } finally {
    await snapshot.close()
  }
}
