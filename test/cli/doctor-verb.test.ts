import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import type { Finding } from '../../src/cli/doctor/finding.ts'
import { backupStorage } from '../../src/storage/backup.ts'
import { inspectStorage } from '../../src/storage/inspect.ts'
import { openStorage } from '../../src/storage/open.ts'
import { temporaryFolder } from '../support/engines.ts'
import { newPostgresDatabase, runSql } from '../support/postgres-databases.ts'
import { databaseIn, run, runProcess, startService } from '../support/service.ts'
import { now } from '../support/doctor-checks.ts'

test('sqlite: an inspection finds schema, environment and latest event, and leaves the folder as it was', async (t) => {
  const folder = temporaryFolder(t)
  const url = databaseIn(folder)
  const storage = await openStorage(url, { environment: 'staging', clock: () => now })
  await storage.pets.create({ name: 'Rex', categoryId: 1n })
  const whileOpen = await inspectStorage(url)
  await storage.close()
  const bytes = readFileSync(join(folder, 'petstore.db'))

  const inspection = await inspectStorage(url)

  assert.deepEqual(inspection, { ...whileOpen, isInUse: false })
  assert.equal(whileOpen?.isInUse, true)
  assert.deepEqual([inspection?.environment, inspection?.latestEventAt, inspection?.unsafe], ['staging', now, []])
  assert.equal(inspection?.schema, inspection?.latestSchema)
  assert.deepEqual(readdirSync(folder), ['petstore.db'])
  assert.deepEqual(readFileSync(join(folder, 'petstore.db')), bytes)
})

test('sqlite: an inspection refuses another program and a broken file', async (t) => {
  const folder = temporaryFolder(t)
  new DatabaseSync(join(folder, 'other.db')).exec('CREATE TABLE cats (id)')
  writeFileSync(join(folder, 'text.db'), 'x'.repeat(5_000))
  mkdirSync(join(folder, 'folder.db'))

  await assert.rejects(inspectStorage(`sqlite:${folder}/other.db`), { message: /another program/ })
  await assert.rejects(inspectStorage(`sqlite:${folder}/text.db`), { message: /not a SQLite database/ })
  await assert.rejects(inspectStorage(`sqlite:${folder}/folder.db`), { message: /is a folder/ })
  assert.equal(await inspectStorage(`sqlite:${folder}/none.db`), undefined)
  assert.equal(await inspectStorage('sqlite::memory:'), undefined)
})

test('postgres: an inspection finds schema, latest event, clock and settings that lose data', async (t) => {
  const url = await newPostgresDatabase()
  const empty = await inspectStorage(url)
  const storage = await openStorage(url, { clock: () => now })
  t.after(() => storage.close())
  await storage.pets.create({ name: 'Rex', categoryId: 1n })
  await runSql(url, `ALTER DATABASE "${new URL(url).pathname.slice(1)}" SET synchronous_commit = off`)
  const off = (await runSql(
    url,
    "SELECT name FROM pg_settings WHERE name IN ('fsync', 'full_page_writes') AND setting = 'off' ORDER BY 1",
  )) as [string][]

  const inspection = await inspectStorage(url)

  assert.deepEqual([empty?.schema, empty?.latestEventAt, empty?.isInUse], [0, undefined, false])
  assert.equal(inspection?.isInUse, true)
  assert.deepEqual([inspection?.schema, inspection?.latestEventAt], [inspection?.latestSchema, now])
  assert.deepEqual(
    inspection?.unsafe.map((sentence) => sentence.split(' ')[0]),
    off.flat(),
  )
  const { server = 0, here = 0 } = inspection?.clocks ?? {}
  assert.ok(Math.abs(server - here) < 60_000)
})

test('petstore doctor tells a line for each check of a running service, and makes no file', async (t) => {
  const service = await startService(t)
  const files = readdirSync(service.cwd, { recursive: true })
  const env = { PETSTORE_PORT: new URL(service.origin).port }

  const { code, stdout, stderr } = await runProcess(t, ['doctor'], { cwd: service.cwd, env })

  assert.deepEqual([code, stderr], [0, ''], stdout)
  const checks = stdout
    .trimEnd()
    .split('\n')
    .map((line) => line.split(/ +/, 2).join(' '))
  const well = ['settings', 'folder', 'database', 'schema', 'clock', 'port']
  // The disk of this machine may be nearly full, and its temporary folder in memory.
  assert.deepEqual(
    checks.filter((line) => !line.endsWith(' disk')),
    well.map((check) => `ok ${check}`),
  )
  assert.match(stdout, /^ok +port +A pet store answers at http:/m)
  assert.deepEqual(readdirSync(service.cwd, { recursive: true }), files)
})

test('petstore doctor finds no fault in a database that was restored, and warns of one in memory', async (t) => {
  const cwd = temporaryFolder(t)
  const backup = join(cwd, 'backup.db')
  await (await openStorage(databaseIn(cwd))).close()
  await backupStorage(databaseIn(cwd), backup, 'production')
  const env = { PETSTORE_PORT: '0' }

  const restored = await run(t, ['doctor'], { cwd, env: { ...env, PETSTORE_DATABASE_URL: `sqlite:${backup}` } })
  const inMemory = await run(t, ['doctor'], { cwd, env: { ...env, PETSTORE_DATABASE_URL: 'sqlite::memory:' } })

  assert.doesNotMatch(restored.stdout, /^(?:problem|warning) +(?!disk)/m)
  assert.match(inMemory.stdout, /^warning +database +sqlite::memory: loses all data when the service stops/m)
})

test('petstore doctor --json has exit code 1 if there is a problem', async (t) => {
  const { code, stdout } = await run(t, ['doctor', '--json'], { env: { PETSTORE_PORT: 'x' } })

  const { ok, checks } = JSON.parse(stdout) as { ok: boolean; checks: Finding[] }
  assert.deepEqual([code, ok], [1, false])
  assert.deepEqual(
    checks.map(({ check, result }) => [check, result]),
    [['settings', 'problem']],
  )
})
