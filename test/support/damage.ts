import { closeSync, openSync, writeSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'

/** Overwrites the first page of a table in a SQLite file that nobody has open. */
export function damageTable(path: string, table: string): void {
  const db = new DatabaseSync(path)
  const { rootpage } = db.prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?').get(table) as {
    rootpage: number
  }
  db.close()
  const file = openSync(path, 'r+')
  writeSync(file, Buffer.alloc(4096, 0xff), 0, 4096, (rootpage - 1) * 4096)
  closeSync(file)
}
