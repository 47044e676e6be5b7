import assert from 'node:assert/strict'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { openStorage } from '../../../src/storage/open.ts'
import { type Engine, postgres, sqlite, temporaryFolder } from '../../support/engines.ts'
import { newPostgresDatabase, runAll, runSql } from '../../support/postgres-databases.ts'
import { startProxy } from '../../support/proxy.ts'
import { databaseIn, run, runProcess, startCommand } from '../../support/service.ts'
import { mountDisk } from '../../support/small-disk.ts'

// However an import ends, it tells how many animals went in, and the shop has exactly those.

for (const engine of [sqlite, postgres]) {
  test(`${engine.name}: an import that is killed is resumed, and every row goes in once`, async (t) => {
    const url = await migrated(t, engine)
    const { cwd, file } = fileOf(t, 12_000)
    await failAt(url, 'pet 11000', 'never ends')
    const { child, closed } = startCommand(t, ['import', file], { cwd, env: envOf(url) })
    while ((await countIn(url)) < 5_000) await wait(5)
    child.kill('SIGKILL')
    await closed
    await repair(url)
    const before = await countIn(url)

    const refused = await runProcess(t, ['import', file], { cwd, env: envOf(url) })
    const resumed = await run(t, ['import', file, '--resume'], { cwd, env: envOf(url) })
    const again = await run(t, ['import', file, '--resume'], { cwd, env: envOf(url) })

    assert.equal(refused.code, 1)
    assert.match(
      refused.stderr,
      new RegExp(`was interrupted after row ${grouped(before)}: --resume .* --restart .*\\.\n$`),
    )
    assert.match(resumed.stdout, new RegExp(`^Added ${grouped(12_000 - before)} animals to .* in `))
    assert.match(again.stdout, /^Nothing to import/)
    assert.deepEqual(await namesIn(url), names(12_000))
  })

  test(`${engine.name}: an import that makes categories and is killed leaves none without animals, and is resumed`, async (t) => {
    const url = await migrated(t, engine)
    const cwd = temporaryFolder(t)
    const lines = names(12_000).map((name, index) => `${name},Kind ${Math.floor(index / 1_000)}\n`)
    writeFileSync(join(cwd, 'animals.csv'), `name,categoryName\nlost,\n${lines.join('')}`)
    await failAt(url, 'pet 11000', 'never ends')
    const args = ['import', 'animals.csv', '--create-categories']
    const { child, closed } = startCommand(t, args, { cwd, env: envOf(url) })
    while ((await countIn(url)) < 4_000) await wait(5)
    child.kill('SIGKILL')
    await closed
    await repair(url)
    const without =
      'SELECT name FROM categories WHERE NOT EXISTS (SELECT 1 FROM pets WHERE category_id = categories.id)'
    const left = await valuesIn(url, without)

    const other = await run(t, ['import', 'animals.csv', '--resume'], { cwd, env: envOf(url) })
    const resumed = await run(t, [...args, '--resume'], { cwd, env: envOf(url) })

    assert.deepEqual(left, [])
    assert.match(other.stderr, /^petstore: The rows that are done have changed, or were read .* with other options\./)
    assert.match(resumed.stdout, /^Added [\d,]+ animals to .* in .*: 1 row rejected/)
    assert.equal(readFileSync(join(cwd, 'animals.csv.rejects.csv'), 'utf8').split('\n').length, 3)
    assert.deepEqual(await namesIn(url), names(12_000))
    const counts = await valuesIn(
      url,
      `SELECT categories.name || ' ' || count(*) FROM categories JOIN pets ON category_id = categories.id
         GROUP BY categories.id, categories.name ORDER BY categories.id`,
    )
    assert.deepEqual(
      counts,
      Array.from({ length: 12 }, (_none, index) => `Kind ${index} 1000`),
    )
  })

  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    test(`${engine.name}: ${signal} ends an import between two batches, and tells what went in`, async (t) => {
      const url = await migrated(t, engine)
      const { child, closed, output } = startCommand(t, ['import', '-', '--format', 'csv'], {
        env: envOf(url),
        holdsInput: true,
      })
      child.stdin.write(rows(12_000))
      while ((await countIn(url)) < 5_000) await wait(5)

      child.kill(signal)
      const [code] = await closed

      const added = await countIn(url)
      assert.equal(code, 1)
      assert.equal(output.stderr, `petstore: The import was stopped. ${grouped(added)} animals added.\n`)
    })
  }

  test(`${engine.name}: an import whose rejects cannot be written tells what went in, and is resumed`, async (t) => {
    const url = await migrated(t, engine)
    const { cwd, file } = fileOf(t, 12_000, 'bad,x\n')
    const args = ['import', file, '--rejects', 'no/folder.csv']

    const ended = await run(t, args, { cwd, env: envOf(url) })
    const before = await countIn(url)
    const resumed = await run(t, ['import', file, '--resume'], { cwd, env: envOf(url) })

    assert.equal(ended.code, 1)
    assert.equal(
      lastLine(ended.stderr),
      `petstore: The file no/folder.csv cannot be written (ENOENT). ${grouped(before)} animals added. ` +
        '--resume adds the missing rows.',
    )
    assert.match(resumed.stdout, new RegExp(`^Added ${grouped(12_000 - before)} animals to .* in .*: 1 row rejected`))
    assert.deepEqual(await namesIn(url), names(12_000))
  })

  test(`${engine.name}: an import that cannot be stored tells what went in, and is resumed`, async (t) => {
    const url = await migrated(t, engine)
    const { cwd, file } = fileOf(t, 12_000)
    await failAt(url, 'pet 11000', 'fails')

    const first = await run(t, ['import', file], { cwd, env: envOf(url) })
    const before = await countIn(url)
    const second = await run(t, ['import', file, '--resume'], { cwd, env: envOf(url) })
    await repair(url)
    const third = await run(t, ['import', file, '--resume'], { cwd, env: envOf(url) })

    assert.deepEqual([first.code, second.code, third.code], [1, 1, 0])
    assert.ok(before > 0 && before < 11_000, `${before} animals before the failure`)
    assert.match(first.stderr, new RegExp(` ${grouped(before)} animals added\\. --resume adds the missing rows\\.\n$`))
    assert.match(second.stderr, / No animals were added\. --resume adds the missing rows\.\n$/)
    assert.deepEqual(await namesIn(url), names(12_000))
  })
}

test('sqlite: an import that finds the disk full tells what went in, and is resumed once there is room', async (t) => {
  const folder = mountDisk(t, 40)
  if (folder === undefined) return t.skip('SKIPPED: no right to mount a small disk here')
  const filler = join(folder, 'filler')
  writeFileSync(filler, Buffer.alloc(30 * 1024 * 1024))
  const url = databaseIn(folder)
  await (await openStorage(url)).close()
  const { cwd, file } = fileOf(t, 100_000)

  const full = await run(t, ['import', file], { cwd, env: envOf(url) })
  rmSync(filler)
  const added = await countIn(url)
  const resumed = await run(t, ['import', file, '--resume'], { cwd, env: envOf(url) })

  assert.equal(full.code, 1)
  assert.match(
    full.stderr,
    new RegExp(`^petstore: The animals cannot be stored \\(.*full.*\\)\\. ${grouped(added)} animals added\\.`),
  )
  assert.equal(resumed.code, 0, resumed.stderr)
  assert.deepEqual(await namesIn(url), names(100_000))
})

test('postgres: a database whose disk is full: one sentence, and nothing went in', async (t) => {
  const url = await newPostgresDatabase()
  await (await openStorage(url)).close()
  await failAt(url, 'pet 3', 'fails', '53100')

  const { code, stderr } = await run(t, ['import', '-', '--format', 'csv'], { env: envOf(url), input: rows(10) })

  assert.deepEqual(
    [code, stderr],
    [1, 'petstore: The animals cannot be stored (no more room). No animals were added.\n'],
  )
  assert.equal(await countIn(url), 0)
})

test('postgres: rows that come slowly through a pipe keep no transaction open, and all go in', async (t) => {
  const url = await migrated(t, postgres)
  const { child, closed, output } = startCommand(t, ['import', '-', '--format', 'csv'], {
    env: envOf(url),
    holdsInput: true,
  })
  child.stdin.write(rows(7_000))
  while ((await countIn(url)) === 0) await wait(5)
  const open: number[] = []
  for (let looks = 0; looks < 20; looks++) open.push(...(await sessions(url, 'idle in transaction')))
  child.stdin.end(rows(9_000, 7_000))

  const [code] = await closed

  assert.deepEqual([code, output.stderr, open], [0, '', []])
  assert.match(output.stdout, /^Added 9,000 animals to \S+ in /)
  assert.deepEqual(await namesIn(url), names(9_000))
})

test('postgres: an import that loses the session with its rows adds nothing and says so', async (t) => {
  const url = await migrated(t, postgres)
  const args = ['import', '-', '--format', 'csv', '--all-or-nothing']
  const { child, closed, output } = startCommand(t, args, { env: envOf(url), holdsInput: true })
  child.stdin.write(rows(6_000))
  await loseStagingSession(url)
  child.stdin.end(rows(12_000, 6_000))

  const [code] = await closed

  assert.deepEqual([code, output.stdout], [1, ''])
  assert.equal(
    output.stderr,
    'petstore: The animals cannot be stored (terminating connection due to administrator command). No animals were added.\n',
  )
  assert.equal(await countIn(url), 0)
})

test('postgres: an import waits for rows longer than the settings of the database allow', async (t) => {
  const url = await newPostgresDatabase()
  await (await openStorage(url)).close()
  await runSql(url, `ALTER DATABASE ${nameOf(url)} SET idle_in_transaction_session_timeout = 1`)
  const args = ['import', '-', '--format', 'csv', '--all-or-nothing']
  const { child, closed, output } = startCommand(t, args, { env: envOf(url), holdsInput: true })
  child.stdin.write(rows(6_000))
  const stagingSession = `SELECT pid FROM pg_stat_activity WHERE ${isStaging}`
  while ((await runSql(url, stagingSession)).length === 0) await wait(5)
  await wait(50)
  child.stdin.end(rows(12_000, 6_000))

  const [code] = await closed

  assert.equal(code, 0, output.stderr)
  assert.equal(await countIn(url), 12_000)
})

test('postgres: a user without the grant for temporary tables is told of it in one sentence', async (t) => {
  const url = await newPostgresDatabase()
  await (await openStorage(url)).close()
  const role = `poor_${nameOf(url)}`
  await runAll(url, [
    `REVOKE TEMPORARY ON DATABASE ${nameOf(url)} FROM PUBLIC`,
    `CREATE ROLE ${role} LOGIN`,
    `GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${role}`,
  ])
  const env = envOf(url.replace('//postgres', `//${role}`))

  const { code, stderr } = await run(t, ['import', '-', '--format', 'csv'], { env, input: rows(3) })

  assert.equal(code, 1)
  assert.match(
    stderr,
    /^petstore: The database .* lacks a grant for this user: .*temporary tables.*No animals were added\.\n$/,
  )
  assert.doesNotMatch(stderr.trimEnd(), /\n/)
})

test('postgres: a database that warns at every login, as after an upgrade of the system, is no reason to doubt', async (t) => {
  const url = await newPostgresDatabase()
  const target = await newPostgresDatabase()
  await (await openStorage(url)).close()
  for (const each of [url, target]) {
    await runSql(each, `UPDATE pg_database SET datcollversion = 'older' WHERE datname = '${nameOf(each)}'`)
  }
  const { cwd, file } = fileOf(t, 6_000)

  const imported = await run(t, ['import', file], { cwd, env: envOf(url) })
  const copied = await run(t, ['copy', '--from', url, '--to', target])
  const storage = await openStorage(target)
  t.after(() => storage.close())
  const { outcome } = await storage.pets.create({ name: 'late', categoryId: 1n })

  assert.deepEqual([imported.code, imported.stderr, copied.code, copied.stderr, outcome], [0, '', 0, '', 'created'])
  assert.deepEqual(await namesIn(target), [...names(6_000), 'late'])
})

test('postgres: when the answer to a commit is lost, the import says that it does not know, and --resume finds out', async (t) => {
  const url = await migrated(t, postgres)
  const proxy = await startProxy(t, Number(new URL(url).port))
  const through = url.replace(/:\d+\//, `:${proxy.port}/`)
  const { cwd, file } = fileOf(t, 300)
  let isStaged = false
  let isCommitted = false
  proxy.watch = (bytes) => {
    isStaged ||= bytes.includes('INTO idempotency_records')
    isCommitted ||= isStaged && bytes.includes('COMMIT')
    return !isCommitted
  }
  const { closed, output } = startCommand(t, ['import', file], { cwd, env: envOf(through) })
  while ((await countIn(url)) < 300) await wait(5)
  proxy.cut()
  const [code] = await closed

  const resumed = await run(t, ['import', file, '--resume'], { cwd, env: envOf(url) })

  assert.equal(code, 1)
  assert.match(
    output.stderr,
    /^petstore: .*\. It is unknown whether 300 animals were added\. --resume adds the missing rows\.\n$/,
  )
  assert.match(resumed.stdout, /^Nothing to import/)
  assert.deepEqual(await namesIn(url), names(300))
})

async function migrated(t: TestContext, engine: Engine): Promise<string> {
  const url = await engine.url(t)
  await (await openStorage(url)).close()
  return url
}

function envOf(url: string): Record<string, string> {
  return { PETSTORE_DATABASE_URL: url }
}

function fileOf(t: TestContext, count: number, last = ''): { cwd: string; file: string } {
  const cwd = temporaryFolder(t)
  writeFileSync(join(cwd, 'animals.csv'), rows(count) + last)
  return { cwd, file: 'animals.csv' }
}

/** Rows of CSV, with the header before the first of them. */
function rows(last: number, after = 0): string {
  const lines = names(last)
    .slice(after)
    .map((name) => `${name},1\n`)
  return (after === 0 ? 'name,categoryId\n' : '') + lines.join('')
}

function names(count: number): string[] {
  return Array.from({ length: count }, (_none, index) => `pet ${index + 1}`)
}

/** From now on the animal of this name cannot be added: that fails, or never ends. */
async function failAt(url: string, name: string, how: 'fails' | 'never ends', code = 'P0001'): Promise<void> {
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

async function repair(url: string): Promise<void> {
  if (url.startsWith('sqlite:')) return onFile(url, 'DROP TRIGGER failing')
  await runAll(url, [
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND pid <> pg_backend_pid() AND state = 'active'`,
    'DROP FUNCTION fail CASCADE',
  ])
}

function onFile(url: string, sql: string): void {
  const db = new DatabaseSync(url.slice('sqlite:'.length), { timeout: 10_000 })
  db.exec(sql)
  db.close()
}

/** The session with the rows of an import, between two statements. The check of the schema has a transaction, too. */
const isStaging = `datname = current_database() AND state = 'idle in transaction' AND query LIKE 'COPY staged_pets%'`

async function loseStagingSession(url: string): Promise<void> {
  const terminate = `SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE ${isStaging}`
  while ((await runSql(url, terminate)).length === 0) await wait(5)
}

/** The processes of the server that serve us and are in this state. */
async function sessions(url: string, state: string): Promise<number[]> {
  const rows = await runSql(
    url,
    `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND state = '${state}'
       AND application_name = 'petstore'`,
  )
  return rows.map(([pid]) => pid as number)
}

function nameOf(url: string): string {
  return new URL(url).pathname.slice(1)
}

async function countIn(url: string): Promise<number> {
  return Number((await valuesIn(url, 'SELECT count(*) FROM pets'))[0])
}

async function namesIn(url: string): Promise<unknown[]> {
  return valuesIn(url, 'SELECT name FROM pets ORDER BY id')
}

/** The first column. */
async function valuesIn(url: string, sql: string): Promise<unknown[]> {
  if (!url.startsWith('sqlite:')) return (await runSql(url, sql)).map(([value]) => value)
  const db = new DatabaseSync(url.slice('sqlite:'.length), { readOnly: true, timeout: 10_000 })
  const found = db.prepare(sql).all()
  db.close()
  return found.map((row) => Object.values(row)[0])
}

function grouped(count: number): string {
  return count.toLocaleString('en')
}

function lastLine(text: string): string {
  return text.trimEnd().split('\n').at(-1) ?? ''
}
