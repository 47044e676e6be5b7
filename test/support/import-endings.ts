import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { TestContext } from 'node:test'
import { openStorage } from '../../src/storage/open.ts'
import { type Engine, temporaryFolder } from './engines.ts'
import { runAll, runSql } from './postgres-databases.ts'

export async function migrated(t: TestContext, engine: Engine): Promise<string> {
  const url = await engine.url(t)
  await (await openStorage(url)).close()
  return url
}

export function envOf(url: string): Record<string, string> {
  return { PETSTORE_DATABASE_URL: url }
}

export function fileOf(t: TestContext, count: number, last = ''): { cwd: string; file: string } {
  const cwd = temporaryFolder(t)
  writeFileSync(join(cwd, 'animals.csv'), rows(count) + last)
  return { cwd, file: 'animals.csv' }
}

/** Rows of CSV, with the header before the first of them. */
export function rows(last: number, after = 0): string {
  const lines = names(last)
    .slice(after)
    .map((name) => `${name},1\n`)
  return (after === 0 ? 'name,categoryId\n' : '') + lines.join('')
}

export function names(count: number): string[] {
  return Array.from({ length: count }, (_none, index) => `pet ${index + 1}`)
}

/** From now on the animal of this name cannot be added: that fails, or never ends. */
export async function failAt(url: string, name: string, how: 'fails' | 'never ends', code = 'P0001'): Promise<void> {
  if (url.startsWith('sqlite:')) {
    const endless = `SELECT count(*) FROM (
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 10000000000) SELECT i FROM n);`
    const work = how === 'fails' ? "SELECT RAISE(ABORT, 'no more room');" : endless
    return onFile(url, `CREATE TRIGGER failing BEFORE INSERT ON pets WHEN NEW.name = '${name}' BEGIN ${work} END`)
  }
  const work = how === 'fails' ? `RAISE EXCEPTION 'no more room' USING ERRCODE = '${code}'` : 'PERFORM pg_sleep(600)'
  await runAll(url, [
    `CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${work}; RETURN NEW; END $$`,
    `CREATE TRIGGER failing BEFORE INSERT ON pets FOR EACH ROW WHEN (NEW.name = '${name}') EXECUTE FUNCTION fail()`,
  ])
}

export function onFile(url: string, sql: string): void {
  const db = new DatabaseSync(url.slice('sqlite:'.length), { timeout: 10_000 })
  db.exec(sql)
  db.close()
}

export async function countIn(url: string): Promise<number> {
  return Number((await valuesIn(url, 'SELECT count(*) FROM pets'))[0])
}

export async function namesIn(url: string): Promise<unknown[]> {
  return valuesIn(url, 'SELECT name FROM pets ORDER BY id')
}

/** The first column. */
export async function valuesIn(url: string, sql: string): Promise<unknown[]> {
  if (!url.startsWith('sqlite:')) return (await runSql(url, sql)).map(([value]) => value)
  const db = new DatabaseSync(url.slice('sqlite:'.length), { readOnly: true, timeout: 10_000 })
  const found = db.prepare(sql).all()
  db.close()
  return found.map((row) => Object.values(row)[0])
}

export function grouped(count: number): string {
  return count.toLocaleString('en')
}
