import { readdirSync, readFileSync } from 'node:fs'

/** A file of migrations/. A schema number may have several; they are applied in the order of their names. */
export interface Migration {
  number: number
  name: string
  sql: string
  /** Whether each statement is run alone, outside a transaction: it builds an index while others write. */
  isConcurrent: boolean
}

const concurrentEnding = '.concurrently'

/** The schema number after these migrations. */
export function latestNumber(migrations: readonly Migration[]): number {
  return migrations.at(-1)?.number ?? 0
}

/** The numbered files of a folder, in order. */
export function readMigrations(folder: URL): Migration[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .toSorted()
    .map((file) => toMigration(file.slice(0, -4), readFileSync(new URL(file, folder), 'utf8')))
}

export function toMigration(name: string, sql: string): Migration {
  return { number: Number(name.slice(0, 4)), name, sql, isConcurrent: name.endsWith(concurrentEnding) }
}
