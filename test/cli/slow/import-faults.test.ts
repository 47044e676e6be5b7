import assert from 'node:assert/strict'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { openStorage } from '../../../src/storage/open.ts'
import { postgres } from '../../support/engines.ts'
import { newPostgresDatabase, runAll, runSql } from '../../support/postgres-databases.ts'
import { startProxy } from '../../support/proxy.ts'
import { databaseIn, run, startCommand } from '../../support/service.ts'
import { mountDisk } from '../../support/small-disk.ts'
import {
  countIn,
  envOf,
  failAt,
  fileOf,
  grouped,
  migrated,
  names,
  namesIn,
  rows,
} from '../../support/import-endings.ts'

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
