import { readdirSync, readFileSync } from 'node:fs'

export interface Migration {
  number: number
  name: string
  sql: string
}

/** The schema number after these migrations. */
export function latestNumber(migrations: readonly Migration[]): number {
  return migrations.at(-1)?.number ?? 0
}

/** The numbered files of a folder, in order. */
export function readMigrations(folder: URL): Migration[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .toSorted()
    .map((file) => ({
      number: Number(file.slice(0, 4)),
      name: file.slice(0, -4),
      sql: readFileSync(new URL(file, folder), 'utf8'),
    }))
}
