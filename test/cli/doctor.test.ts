import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { checkBackupDisk, checkBackups } from '../../src/cli/doctor/backup-age.ts'
import { checkCertificate } from '../../src/cli/doctor/certificate.ts'
import {
  checkClock,
  checkDatabase,
  checkDeliveries,
  checkDurability,
  checkSchema,
} from '../../src/cli/doctor/database.ts'
import { checkExposure } from '../../src/cli/doctor/exposure.ts'
import { checkDisk, checkFolder, checkReaders } from '../../src/cli/doctor/files.ts'
import type { Finding } from '../../src/cli/doctor/finding.ts'
import { checkMetricsAddress, checkPort } from '../../src/cli/doctor/port.ts'
import { checkSettings } from '../../src/cli/doctor/settings.ts'
import { lowFileLimit } from '../../src/cli/serving/file-limit.ts'
import { readConfig } from '../../src/cli/shared/config.ts'
import { Failure } from '../../src/cli/shared/failure.ts'
import { backupStorage } from '../../src/storage/backup.ts'
import { inspectStorage } from '../../src/storage/inspect.ts'
import { openStorage } from '../../src/storage/open.ts'
import { StorageError } from '../../src/storage/shared/errors.ts'
import type { Inspection } from '../../src/storage/shared/inspection.ts'
import { startApp } from '../support/app.ts'
import { certificateFiles } from '../support/certificates.ts'
import { sqlite, temporaryFolder } from '../support/engines.ts'
import { newPostgresDatabase, runSql } from '../support/postgres-databases.ts'
import { databaseIn, run, runProcess, startService } from '../support/service.ts'

const now = Date.UTC(2027, 0, 31, 12)
const hour = 3_600_000
const host = '127.0.0.1'
const onLinux = { skip: process.platform === 'linux' ? false : 'other systems number their disks differently' }
const healthy: Inspection = {
  schema: 105,
  latestSchema: 105,
  maxAhead: 0,
  environment: 'production',
  hasUnfinishedCopy: false,
  isInUse: true,
  latestEventAt: now - 1_000,
  deliveriesUnattendedSince: undefined,
  unsafe: [],
  doubtful: [],
}

test('a port for metrics that another program has is a problem, and one on which a pet store serves them is not', async (t) => {
  const server = createServer((_request, response) => response.end('petstore_build_info{version="1.0.0"} 1\n'))
  t.after(() => server.close())
  const port = await listenOnFreePort(t)
  await once(server.listen(0, host), 'listening')
  const { port: served } = server.address() as AddressInfo

  assertFinding(
    await checkMetricsAddress({ metricsAddress: { host, port } }),
    'problem',
    /set PETSTORE_METRICS_ADDRESS/,
  )
  assert.deepEqual(await checkMetricsAddress({ metricsAddress: { host, port: served } }), [])
  assert.deepEqual(await checkMetricsAddress({ metricsAddress: undefined }), [])
  assertFinding(
    await checkMetricsAddress({ metricsAddress: { host: '192.0.2.1', port } }),
    'problem',
    /PETSTORE_METRICS_ADDRESS must be an address of this machine/,
  )
})

test('a limit of open files with which the service does not start is a fault', () => {
  assert.match(lowFileLimit({ used: 20, limit: 39 }) ?? '', /at least 40 open files, and may have 39/)
  assert.equal(lowFileLimit({ used: 20, limit: 40 }), undefined)
})

test('deliveries that nobody attends to are a problem, while the database is in use', () => {
  const since = Date.UTC(2027, 0, 31, 11)
  assert.deepEqual(describe(checkDeliveries(healthy)), [])
  assert.deepEqual(describe(checkDeliveries({ deliveriesUnattendedSince: since, isInUse: false })), [])
  assert.deepEqual(describe(checkDeliveries({ deliveriesUnattendedSince: since, isInUse: true })), [
    'problem: No process sends events to webhooks since 2027-01-31T11:00:00.000Z: start the service; if it runs, its log says why.',
  ])
})

function describe(found: readonly Finding[]): string[] {
  return found.map(({ result, sentence }) => `${result}: ${sentence}`)
}

/** Asserts that a check has one finding, with this result. */
function assertFinding(found: readonly Finding[], result: Finding['result'], sentence: RegExp): void {
  assert.deepEqual([found.length, found[0]?.result], [1, result], describe(found).join('\n'))
  assert.match(found[0]?.sentence ?? '', sentence)
}

test('doctor: valid settings are well', () => {
  assertFinding(checkSettings(() => ({ PETSTORE_PORT: '8081' })).found, 'ok', /valid/)
})

test('doctor: an unknown setting and one without effect are warnings', () => {
  const { config, found } = checkSettings(() => ({ PETSTORE_PROT: '1', PETSTORE_BACKUP_KEEP: '3' }))

  assert.ok(config !== undefined)
  assert.deepEqual(describe(found), [
    'warning: PETSTORE_PROT is not a setting and is ignored: did you mean PETSTORE_PORT?',
    'warning: PETSTORE_BACKUP_KEEP has no effect without PETSTORE_BACKUP_FOLDER.',
  ])
})

for (const [name, read] of [
  ['an invalid setting', () => ({ PETSTORE_PORT: 'x' })],
  ['a contradiction', () => ({ PETSTORE_READ_DATABASE_URL: 'postgres://shop@db/pets' })],
  [
    'an unreadable .env',
    () => {
      throw new Failure('The file .env cannot be read (EACCES).')
    },
  ],
] as const) {
  test(`doctor: ${name} is a problem, and nothing else is checked`, () => {
    const { config, found } = checkSettings(read)

    assert.equal(config, undefined)
    assertFinding(found, 'problem', /PETSTORE_|\.env/)
  })
}

test('doctor: a folder that this user may write is well, also if it has to be made', (t) => {
  const folder = temporaryFolder(t)

  assertFinding(checkFolder(join(folder, 'data', 'deep', 'pets.db')), 'ok', new RegExp(folder))
  assert.deepEqual(readdirSync(folder), [])
})

test('doctor: a folder or file that this user may not write is a problem', (t) => {
  const folder = temporaryFolder(t)
  const path = join(folder, 'pets.db')
  writeFileSync(path, '', { mode: 0o600 })

  // Root may write everything, so the permissions are pretended.
  assertFinding(
    checkFolder(path, (place) => (place === path ? 'EACCES' : undefined)),
    'problem',
    /may not write .*pets\.db/,
  )
  assertFinding(
    checkFolder(path, (place) => (place === folder ? 'EROFS' : undefined)),
    'problem',
    /may not write [^ ]*petstore-test-\w+ \(EROFS\): mount its disk/,
  )
})

test('doctor: a folder that every user may write, and files that others may read, are warnings', (t) => {
  const folder = join(temporaryFolder(t), 'data')
  mkdirSync(folder)
  const path = join(folder, 'pets.db')
  writeFileSync(path, '')

  chmodSync(path, 0o640)
  assertFinding(checkReaders(path), 'warning', /Other users may read or write \S+pets\.db: run chmod 600/)
  chmodSync(path, 0o600)
  assert.deepEqual(checkReaders(path), [])
  assertFinding(checkFolder(path), 'ok', /may write/)
  chmodSync(folder, 0o777)
  assertFinding(checkFolder(path), 'warning', /Every user may write \S+data: run chmod o-w /)
})

for (const [result, free, size] of [
  ['ok', 50e9, 100e9],
  ['warning', 5e9, 100e9],
  ['problem', 50e6, 100e9],
  ['problem', 50e6, 60e6],
] as const) {
  test(`doctor: ${free / 1e6} MB free of ${size / 1e6} is ${result}`, async () => {
    assertFinding(await checkDisk('/srv/pets.db', async () => ({ free, size, type: 0xef53 })), result, /MiB free/)
  })
}

test('doctor: a place that has no room at all is a problem', async () => {
  const nothing = async () => ({ free: 0, size: 0, type: 0x9fa0 })

  assertFinding(await checkDisk('/proc/pets.db', nothing), 'problem', /^\/proc is on no disk: use a local disk/)
})

test('doctor: a disk that does not answer is a problem', async () => {
  const lost = () => Promise.reject(Object.assign(new Error('lost'), { code: 'ENOTCONN' }))

  assertFinding(await checkDisk('/srv/pets.db', lost), 'problem', /cannot be examined \(ENOTCONN\)/)
})

for (const [type, sentence] of [
  [0x01021994, /is tmpfs, whose files are lost/],
  [0x6969, /is NFS/],
] as const) {
  test(`doctor: a disk that is no safe place for a database is a problem: ${sentence.source}`, onLinux, async () => {
    const found = await checkDisk('pets.db', async () => ({ free: 50e9, size: 100e9, type }))

    assertFinding(found, 'problem', sentence)
  })
}

test('doctor: a clock that is right is well', () => {
  assertFinding(checkClock(now, { ...healthy, clocks: { server: now + 900, here: now } }), 'ok', /2027-01-31T12/)
})

for (const [name, result, sentence, at, inspection] of [
  ['from before this program', 'problem', /in the past/, 0, {}],
  ['behind the latest event', 'problem', /latest event is from 2027-01-31T13/, now, { latestEventAt: now + hour }],
  ['behind that of PostgreSQL', 'warning', /60 s ahead/, now, { clocks: { server: now + 60_000, here: now } }],
  ['ahead of that of PostgreSQL', 'warning', /60 s behind/, now, { clocks: { server: now - 60_000, here: now } }],
] as const) {
  test(`doctor: a clock ${name} is a ${result}`, () => {
    assertFinding(checkClock(at, { latestEventAt: undefined, ...inspection }), result, sentence)
  })
}

for (const [name, result, sentence, inspection] of [
  ['of this version', 'ok', /schema is 105/, {}],
  ['of a new database', 'ok', /empty/, { schema: 0 }],
  ['from before the first release', 'problem', /before the first release: use a new database/, { schema: 5 }],
  ['of an older version', 'warning', /petstore migrate.*backup/, { schema: 104 }],
  ['with newer parts', 'problem', /is 104, but table x is of a newer one/, { schema: 104, newerPart: 'table x' }],
  ['one ahead, where an older version may run', 'warning', /one ahead/, { schema: 106, maxAhead: 1 }],
  ['of a newer version', 'problem', /run the newer version/, { schema: 106 }],
  ['of a much newer version', 'problem', /run the newer version/, { schema: 107, maxAhead: 1 }],
] as const) {
  test(`doctor: a schema ${name} is ${result}`, () => {
    assertFinding(checkSchema({ ...healthy, ...inspection }), result, sentence)
  })
}

test('doctor: what could lose data is a problem, an untested version a warning', () => {
  const found = checkDurability({ ...healthy, unsafe: ['fsync is off.'], doubtful: ['PostgreSQL 14.'] })

  assert.deepEqual(describe(found), ['problem: fsync is off.', 'warning: PostgreSQL 14.'])
  assertFinding(checkDurability(healthy), 'ok', /on disk/)
})

for (const [name, result, sentence, inspect] of [
  ['that can be read', 'ok', /can be read/, async () => healthy],
  ['that is not there yet', 'ok', /petstore serve makes it/, async () => undefined],
  ['of the other environment', 'problem', /belongs to staging/, async () => ({ ...healthy, environment: 'staging' })],
  [
    'with half of a copy',
    'problem',
    /same petstore copy .* or copy into a new/,
    async () => ({ ...healthy, hasUnfinishedCopy: true }),
  ],
  ['that cannot be reached', 'problem', /no response/, () => Promise.reject(new StorageError('There is no response.'))],
] as const) {
  test(`doctor: a database ${name} is ${result}`, async () => {
    assertFinding((await checkDatabase('sqlite:pets.db', 'production', inspect)).found, result, sentence)
  })
}

test('doctor: backups are checked by the age of the latest, if there is a folder for them', async (t) => {
  const folder = temporaryFolder(t)
  const env = { PETSTORE_DATABASE_URL: 'sqlite:pets.db', PETSTORE_BACKUP_EVERY: '1d' }
  const config = readConfig({ ...env, PETSTORE_BACKUP_FOLDER: folder })

  assert.deepEqual(await checkBackups(readConfig(env), now), [])
  assertFinding(await checkBackups(config, now), 'warning', /no backup yet/)
  writeFileSync(join(folder, 'pets-2036-01-30T12-00-00Z.db'), '', { mode: 0o600 })
  assertFinding(await checkBackups(config, now), 'warning', /no backup yet/)
  writeFileSync(join(folder, 'pets-2027-01-30T12-00-00Z.db'), '', { mode: 0o600 })
  assertFinding(await checkBackups(config, now), 'ok', /from 2027-01-30T12/)
  assertFinding(await checkBackups(config, now + 2 * hour), 'problem', /from 2027-01-30T12.*log/)
  assertFinding(
    await checkBackups({ ...config, backupFolder: join(folder, 'gone') }, now),
    'problem',
    /PETSTORE_BACKUP_FOLDER.*ENOENT/,
  )
  chmodSync(join(folder, 'pets-2027-01-30T12-00-00Z.db'), 0o644)
  const [, open] = await checkBackups(config, now)
  assert.match(`${open?.result} ${open?.sentence}`, /^warning Other users may read or write \S+: run chmod 600/)
})

test('doctor: backups on the disk of the database are a warning', (t) => {
  const folder = temporaryFolder(t)
  const env = { PETSTORE_DATABASE_URL: databaseIn(folder) }
  const config = readConfig({ ...env, PETSTORE_BACKUP_FOLDER: folder })

  assertFinding(checkBackupDisk(config), 'warning', /another disk/)
  assert.deepEqual(
    checkBackupDisk({ ...config, databaseUrl: 'sqlite:/other/pets.db' }, (path) => path.length),
    [],
  )
  assert.deepEqual(checkBackupDisk({ ...config, backupFolder: join(folder, 'gone') }), [])
  assert.deepEqual(checkBackupDisk(readConfig(env)), [])
})

for (const [settings, warns] of [
  [{ PETSTORE_HOST: '0.0.0.0' }, true],
  [{ PETSTORE_HOST: '::' }, true],
  [{ PETSTORE_HOST: '192.168.1.7' }, true],
  [{}, false],
  [{ PETSTORE_HOST: 'localhost' }, false],
  [{ PETSTORE_HOST: '::1' }, false],
  [{ PETSTORE_HOST: '0.0.0.0', PETSTORE_TRUST_PROXY: '10.0.0.1' }, false],
  [{ PETSTORE_HOST: '0.0.0.0', PETSTORE_TLS_CERT: 'shop.crt', PETSTORE_TLS_KEY: 'shop.key' }, false],
] as [Record<string, string>, boolean][]) {
  test(`doctor: ${JSON.stringify(settings)} is ${warns ? 'a warning' : 'well'} without TLS on the network`, () => {
    const found = checkExposure(readConfig(settings))

    if (warns) assertFinding(found, 'warning', /clear text: set PETSTORE_TLS_CERT/)
    else assert.deepEqual(found, [])
  })
}

async function listenOnFreePort(t: TestContext): Promise<number> {
  const server = createServer((_request, response) => response.end('{}')).listen(0, '127.0.0.1')
  t.after(() => server.close())
  await new Promise((resolve) => server.once('listening', resolve))
  return (server.address() as AddressInfo).port
}

test('doctor: a port is well if it is free or has a pet store that is ready', async (t) => {
  const { origin, app } = await startApp(t)
  const port = Number(new URL(origin).port)

  assertFinding(await checkPort({ host, port, tlsCert: undefined }), 'ok', /A pet store answers/)
  await app.close()
  assertFinding(await checkPort({ host, port, tlsCert: undefined }), 'ok', /is free/)
})

test('doctor: a port of another program, or of a pet store that is not ready, is a problem', async (t) => {
  const storage = { ...(await sqlite.open(t)), check: () => Promise.reject(new Error('disk')) }
  const { origin } = await startApp(t, { storage })

  assertFinding(
    await checkPort({ host, port: await listenOnFreePort(t), tlsCert: undefined }),
    'problem',
    /taken by another program/,
  )
  assertFinding(
    await checkPort({ host, port: Number(new URL(origin).port), tlsCert: undefined }),
    'problem',
    /not ready/,
  )
})

test('doctor: a port of a pet store with another database is a problem', async (t) => {
  const { origin } = await startApp(t)
  const port = Number(new URL(origin).port)

  assertFinding(await checkPort({ host, port, tlsCert: undefined }, true), 'ok', /A pet store answers/)
  assertFinding(
    await checkPort({ host, port, tlsCert: undefined }, false),
    'problem',
    /with another database .*: stop it, or set PETSTORE_PORT/,
  )
})

test('doctor: a certificate is well until two weeks before its end, and a problem after it', (t) => {
  const { cert, key } = certificateFiles('first')
  const config = readConfig({ PETSTORE_TLS_CERT: cert, PETSTORE_TLS_KEY: key })
  const end = Number(new X509Certificate(readFileSync(cert)).validToDate)

  assert.deepEqual(checkCertificate(readConfig({}), now), [])
  assertFinding(checkCertificate(config, now), 'ok', /valid until 21/)
  assertFinding(checkCertificate(config, end - 24 * hour), 'warning', /renew/)
  assertFinding(checkCertificate(config, end), 'problem', /renew/)
  assertFinding(checkCertificate({ ...config, tlsKey: join(temporaryFolder(t), 'none') }, now), 'problem', /ENOENT/)
})

test('doctor: a pet store that speaks HTTPS is found, whoever signed its certificate', async (t) => {
  const { cert: tlsCert, key } = certificateFiles('first')
  const { origin } = await startService(t, { env: { PETSTORE_TLS_CERT: tlsCert, PETSTORE_TLS_KEY: key } })

  assertFinding(await checkPort({ host, port: Number(new URL(origin).port), tlsCert }), 'ok', /answers at https:/)
})

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
