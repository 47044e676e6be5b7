import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { applicationId, openForWriting, pragma } from '../../src/storage/sqlite/connection/database.ts'
import { type Migration, toMigration } from '../../src/storage/shared/migration-files.ts'
import { latestSchema, migrate, migrations } from '../../src/storage/sqlite/schema/migrate.ts'
import { temporaryFolder } from '../support/engines.ts'
import { emptyDatabase, tables } from '../support/empty-database.ts'

const source = new URL('../../src/storage/', import.meta.url).href

test('migrations are numbered from 100 without gaps and named after what they do', () => {
  const all = migrations()

  assert.ok(all.length > 0)
  for (const [index, { number, name }] of all.entries()) {
    // A number may have several files.
    const before = all[index - 1]?.number
    assert.ok(before === undefined ? number === 100 : number === before || number === before + 1, name)
    assert.match(name, /^\d{4}(-[a-z0-9]+)+$/)
  }
})

test('migrate brings an empty database to the latest schema and marks it as ours', (t) => {
  const { db, path } = emptyDatabase(t)

  const applied = migrate(db, path)

  assert.deepEqual(
    applied,
    migrations().map(({ name }) => name),
  )
  assert.equal(pragma(db, 'user_version'), latestSchema())
  assert.equal(pragma(db, 'application_id'), applicationId)
})

test('migrate applies nothing to a migrated database', (t) => {
  const { db, path } = emptyDatabase(t)
  migrate(db, path)

  assert.deepEqual(migrate(db, path), [])
})

test('migrate of a migrated database does not wait for a lock', (t) => {
  const { db, path } = emptyDatabase(t)
  migrate(db, path)
  const other = new DatabaseSync(path)
  t.after(() => other.close())
  other.exec('BEGIN IMMEDIATE')

  assert.deepEqual(migrate(db, path), [])
})

test('migrate applies only missing migrations, in order', (t) => {
  const { db, path } = emptyDatabase(t)
  migrate(db, path, [step(100, 'CREATE TABLE a (x)')])

  const applied = migrate(db, path, [
    step(100, 'CREATE TABLE a (x)'),
    step(101, 'ALTER TABLE a ADD y'),
    step(102, 'ALTER TABLE a RENAME y TO z'),
  ])

  assert.deepEqual(applied, ['0101-step', '0102-step'])
  assert.equal(pragma(db, 'user_version'), 102)
})

test('a migration that fails half way leaves the old schema', (t) => {
  const { db, path } = emptyDatabase(t)
  const first = step(100, 'CREATE TABLE a (x)')
  migrate(db, path, [first])
  const second = step(101, 'CREATE TABLE b (x)')
  const broken = step(102, 'CREATE TABLE c (x); INSERT INTO nowhere VALUES (1)')

  assert.throws(() => migrate(db, path, [first, second, broken]))

  assert.deepEqual(tables(db), ['a'])
  assert.equal(pragma(db, 'user_version'), 100)
  assert.equal(db.isTransaction, false)
})

test('a failed migration can be run again after a fix', (t) => {
  const { db, path } = emptyDatabase(t)
  assert.throws(() => migrate(db, path, [step(100, 'CREATE TABLE a (x); BROKEN')]))

  const applied = migrate(db, path, [step(100, 'CREATE TABLE a (x)')])

  assert.deepEqual(applied, ['0100-step'])
  assert.deepEqual(tables(db), ['a'])
})

test('four processes that start at once on an empty database migrate it once', async (t) => {
  const path = join(temporaryFolder(t), 'petstore.db')

  const outputs = await runAtOnce(
    t,
    4,
    `import { openForWriting } from '${source}sqlite/connection/database.ts'
     import { migrate } from '${source}sqlite/schema/migrate.ts'`,
    `const db = openForWriting(${JSON.stringify(path)}, { lockTimeoutMs: 120_000 })
     console.log(...migrate(db, ${JSON.stringify(path)}))
     db.close()`,
  )

  assert.deepEqual(
    outputs.flatMap((output) => output.split(/\s/).filter(Boolean)).toSorted(),
    migrations().map(({ name }) => name),
  )
})

test('four processes that open an empty database at once can all write', async (t) => {
  const path = join(temporaryFolder(t), 'petstore.db')

  await runAtOnce(
    t,
    4,
    `import { openStorage } from '${source}open.ts'`,
    `const timeouts = { lockTimeoutMs: 60_000, writeTimeoutMs: 120_000 }
     const storage = await openStorage(${JSON.stringify(`sqlite:${path}`)}, timeouts)
     await storage.pets.create({ name: 'Rex', categoryId: 1n })
     await storage.close()`,
  )

  const db = new DatabaseSync(path)
  t.after(() => db.close())
  const rows = db.prepare('SELECT id FROM pets ORDER BY id').all() as { id: number }[]
  assert.deepEqual(
    rows.map(({ id }) => id),
    [1, 2, 3, 4],
  )
})

test('a kill during a migration leaves the old schema or the new one', async (t) => {
  const { db, path } = emptyDatabase(t)
  const first = step(100, 'CREATE TABLE a (x)')
  migrate(db, path, [first])
  db.close()
  const slow = step(
    101,
    `CREATE TABLE b (x);
     INSERT INTO b WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000000) SELECT i FROM n`,
  )
  const child = spawnScript(
    t,
    `import { openForWriting } from '${source}sqlite/connection/database.ts'
     import { migrate } from '${source}sqlite/schema/migrate.ts'
     const path = ${JSON.stringify(path)}
     migrate(openForWriting(path), path, ${JSON.stringify([first, slow])})`,
  )

  await grown(`${path}-wal`, 1024 * 1024, child)
  child.kill('SIGKILL')
  const [, signal] = (await once(child, 'close')) as [number | null, string | null]

  const after = openForWriting(path)
  t.after(() => after.close())
  assert.equal(signal, 'SIGKILL')
  assert.equal(pragma(after, 'integrity_check'), 'ok')
  assert.deepEqual([pragma(after, 'user_version'), tables(after)], [100, ['a']])
  assert.deepEqual(migrate(after, path, [first, step(101, 'CREATE TABLE b (x)')]), ['0101-step'])
})

function step(number: number, sql: string): Migration {
  return toMigration(`0${number}-step`, sql)
}

function spawnScript(t: TestContext, script: string) {
  const file = join(temporaryFolder(t), 'script.mjs')
  writeFileSync(file, script)
  const child = spawn(process.execPath, [file], { stdio: 'pipe' })
  t.after(() => child.kill('SIGKILL'))
  return child
}

/** Runs the same work in so many processes, begun in all of them once each has loaded what it imports. */
async function runAtOnce(t: TestContext, count: number, imports: string, work: string): Promise<string[]> {
  const script = `
    ${imports}
    import { once } from 'node:events'
    console.log('ready')
    await once(process.stdin, 'data')
    process.stdin.destroy()
    ${work}`
  const children = Array.from({ length: count }, () => spawnScript(t, script))
  const outputs = children.map(({ stdout, stderr }) => {
    const output = { stdout: '', stderr: '' }
    stdout.on('data', (text) => (output.stdout += text))
    stderr.on('data', (text) => (output.stderr += text))
    return output
  })
  const closed = children.map((child) => once(child, 'close') as Promise<[number | null]>)
  await Promise.all(children.map(({ stdout }, index) => Promise.race([once(stdout, 'data'), closed[index]])))
  for (const { stdin } of children) stdin.write('go')
  const codes = (await Promise.all(closed)).map(([code]) => code)
  assert.deepEqual(
    codes,
    codes.map(() => 0),
    outputs.map(({ stderr }) => stderr).join('\n'),
  )
  return outputs.map(({ stdout }) => stdout.replace('ready', ''))
}

/** Resolves once a file has at least so many bytes: what writes it is at work. */
async function grown(path: string, bytes: number, child: ChildProcess): Promise<void> {
  while ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) < bytes) {
    assert.equal(child.exitCode, null, 'the process ended by itself')
    await wait(5)
  }
}
