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
export interface NextFiles {
  sqlite?: Record<string, string>
  postgres?: Record<string, string>
  /** What the migration adds to PostgreSQL, as in schema.json. */
  objects?: readonly object[]
  /** What else differs, by the path below src/: texts, and those in their places. */
  edits?: Record<string, readonly (readonly [text: string, replacement: string])[]>
}

const schema = 101
const root = fileURLToPath(new URL('../../', import.meta.url))
const harmless: Record<string, string> = { 'something-new.sql': 'CREATE TABLE something_new (id INTEGER)' }
const newTable = { kind: 'table', table: 'something_new', name: 'something_new', definition: 'ordinary' }

/**
 * Makes the next version: a copy of src/ with one more migration. It is removed when the test file ends. By default the
 * migration makes a table, which the description of the PostgreSQL schema has, too.
 */
export async function nextVersion({
  sqlite = harmless,
  postgres = harmless,
  objects = postgres === harmless ? [newTable] : [],
  edits = {},
}: NextFiles = {}): Promise<NextVersion> {
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
  for (const [path, texts] of Object.entries(edits)) edit(join(folder, 'src', path), texts)
  describe(join(folder, 'src/storage/postgres/migrations/schema.json'), objects)
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

function edit(file: string, texts: readonly (readonly [string, string])[]): void {
  let content = readFileSync(file, 'utf8')
  for (const [text, replacement] of texts) {
    if (content.split(text).length !== 2) throw new Error(`${file} does not have this text once: ${text}`)
    content = content.replace(text, () => replacement)
  }
  writeFileSync(file, content)
}

function describe(file: string, added: readonly object[]): void {
  const description = JSON.parse(readFileSync(file, 'utf8')) as { objects: unknown[] }
  description.objects.push(...added.map((object) => ({ ...object, since: schema })))
  writeFileSync(file, JSON.stringify(description))
}
