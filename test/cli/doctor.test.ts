import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { checkBackupDisk, checkBackups } from '../../src/cli/doctor/backup-age.ts'
import {
  checkClock,
  checkDatabase,
  checkDeliveries,
  checkDurability,
  checkSchema,
} from '../../src/cli/doctor/database.ts'
import { checkDisk, checkFolder, checkReaders } from '../../src/cli/doctor/files.ts'
import { checkSettings } from '../../src/cli/doctor/settings.ts'
import { lowFileLimit } from '../../src/cli/serving/file-limit.ts'
import { readConfig } from '../../src/cli/shared/config.ts'
import { Failure } from '../../src/cli/shared/failure.ts'
import { StorageError } from '../../src/storage/shared/errors.ts'
import { temporaryFolder } from '../support/engines.ts'
import { databaseIn } from '../support/service.ts'
import { assertFinding, describe, healthy, hour, now, onLinux } from '../support/doctor-checks.ts'

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
