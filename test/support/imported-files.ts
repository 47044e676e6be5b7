import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { TestContext } from 'node:test'
import { folderWithDatabase, type Ran } from './service.ts'

export const env = { PETSTORE_DATABASE_URL: 'sqlite:./petstore.db' }
export const threeRows = 'name,categoryId,status\nRex,1,sold\nTom,2,\nMia,3,available\n'

export function folderWith(t: TestContext, files: Record<string, string>): string {
  const folder = folderWithDatabase(t, 'petstore.db')
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content)
  return folder
}

/** Rows of CSV for pet `after + 1` to pet `last`. */
export function numbered(last: number, after = 0): string {
  return Array.from({ length: last - after }, (_, index) => `pet ${after + index + 1},1\n`).join('')
}

export function namesIn(folder: string): string[] {
  return column<string>(folder, 'name')
}

export function column<Value>(folder: string, name: string, table = 'pets'): Value[] {
  const db = new DatabaseSync(join(folder, 'petstore.db'), { readOnly: true })
  const rows = db.prepare(`SELECT ${name} AS value FROM ${table} ORDER BY id`).all() as { value: Value }[]
  db.close()
  return rows.map(({ value }) => value)
}

export function assertSaid({ code, stdout, stderr }: Ran, sentence: RegExp): void {
  assert.deepEqual([code, stderr], [0, ''])
  assert.match(stdout, sentence)
}

export function assertRefused({ code, stdout, stderr }: Ran, sentence: RegExp): void {
  assert.deepEqual([code, stdout], [1, ''])
  assert.match(stderr, sentence)
}
