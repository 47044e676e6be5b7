import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { checkStorage } from '../../src/storage/check/check.ts'
import type { copyStorage } from '../../src/storage/copy/copy.ts'
import type { inspectStorage } from '../../src/storage/inspect.ts'
import type { openStorage } from '../../src/storage/open.ts'

/** A made-up version of the program whose schema is one migration ahead. */
export interface NextVersion {
  /** The schema number of the made-up migration. */
  schema: number
  /** For `run` and `startService`. */
  main: string
  openStorage: typeof openStorage
  inspectStorage: typeof inspectStorage
  checkStorage: typeof checkStorage
  copyStorage: typeof copyStorage
}

/** The files of the made-up migration, by engine and name without the number: { sqlite: { 'color.sql': '…' } }. */
export type NextFiles = Partial<Record<'sqlite' | 'postgres', Record<string, string>>>

const schema = 101
const root = fileURLToPath(new URL('../../', import.meta.url))
const harmless: Record<string, string> = { 'something-new.sql': 'CREATE TABLE something_new (id INTEGER)' }

/**
 * Makes the next version: a copy of src/ with one more migration. It is removed when the test file ends. By default the
 * migration makes a table, which the description of the PostgreSQL schema has, too.
 */
export async function nextVersion({ sqlite = harmless, postgres = harmless }: NextFiles = {}): Promise<NextVersion> {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-next-version-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  for (const name of readdirSync(root)) {
    if (name !== 'src' && name !== '.git') symlinkSync(join(root, name), join(folder, name))
  }
  cpSync(join(root, 'src'), join(folder, 'src'), { recursive: true })
  for (const [engine, files] of Object.entries({ sqlite, postgres })) {
    for (const [name, sql] of Object.entries(files)) {
      writeFileSync(join(folder, 'src/storage', engine, 'migrations', `0${schema}-${name}`), sql)
    }
  }
  if (postgres === harmless) describeNewTable(join(folder, 'src/storage/postgres/migrations/schema.json'))
  const load = async (path: string) => (await import(pathToFileURL(join(folder, 'src', path)).href)) as never
  return {
    schema,
    main: join(folder, 'src/cli/start.js'),
    ...((await load('storage/open.ts')) as Pick<NextVersion, 'openStorage'>),
    ...((await load('storage/inspect.ts')) as Pick<NextVersion, 'inspectStorage'>),
    ...((await load('storage/copy/copy.ts')) as Pick<NextVersion, 'copyStorage'>),
    ...((await load('storage/check/check.ts')) as Pick<NextVersion, 'checkStorage'>),
  }
}

function describeNewTable(file: string): void {
  const description = JSON.parse(readFileSync(file, 'utf8')) as { objects: unknown[] }
  const name = 'something_new'
  description.objects.push({ kind: 'table', table: name, name, definition: 'ordinary', since: schema })
  writeFileSync(file, JSON.stringify(description))
}
