import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { type BackupsOptions, scheduleBackups } from '../../src/cli/serving/backups/schedule.ts'
import { startBackups } from '../../src/cli/serving/backups/start.ts'
import { backupFiles } from '../../src/cli/shared/backup-files.ts'
import { readConfig } from '../../src/cli/shared/config.ts'
import { backupStorage } from '../../src/storage/backup.ts'
import { openStorage } from '../../src/storage/open.ts'
import { followDatabaseUrl } from '../../src/storage/shared/url.ts'
import { temporaryFolder } from '../support/engines.ts'
import { databaseIn, run } from '../support/service.ts'
import { until } from '../support/until.ts'

const noon = Date.parse('2027-01-01T12:00:00Z')
const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** Hourly backups of shop.db. Three are kept. */
function schedule(
  folder: string,
  backUp: BackupsOptions['backUp'] = async (file) => writeFileSync(file, 'a backup'),
  url = 'sqlite:./data/shop.db',
) {
  const time = { now: noon }
  const failures: string[] = []
  const backups = scheduleBackups({
    files: backupFiles(folder, url),
    everyMs: hourMs,
    maxBackups: 3,
    clock: () => time.now,
    backUp,
    succeeded: () => undefined,
    failed: ({ message }) => failures.push(message),
  })
  return { backups, time, failures }
}

test('a backup is made at the first start, and again when its time has passed', async (t) => {
  const folder = temporaryFolder(t)
  const { backups, time } = schedule(folder)

  for (const passedMs of [0, hourMs - 1, 1, minuteMs]) {
    time.now += passedMs
    await backups.check()
  }

  assert.deepEqual(readdirSync(folder), ['shop-2027-01-01T12-00-00Z.db', 'shop-2027-01-01T13-00-00Z.db'])
  assert.equal(backups.lastSuccessAt, noon + hourMs)
})

test('a restart neither repeats a backup nor waits longer for the next one', async (t) => {
  const folder = temporaryFolder(t)
  await schedule(folder).backups.check()

  const restarted = schedule(folder)
  restarted.time.now += hourMs - 1
  await restarted.backups.check()
  const early = readdirSync(folder)
  const knownAfterRestart = restarted.backups.lastSuccessAt
  restarted.time.now += 1
  await restarted.backups.check()

  assert.deepEqual([early.length, readdirSync(folder).length], [1, 2])
  assert.equal(knownAfterRestart, noon)
})

test('only the newest backups are kept, and no file is removed that is not a backup of this database', async (t) => {
  const folder = temporaryFolder(t)
  const others = ['notes.txt', 'shop-2020-01-01.db', 'shop-staging-2020-01-01T00-00-00Z.db', 'shop.db']
  for (const name of others) writeFileSync(join(folder, name), '')
  const { backups, time } = schedule(folder)

  for (let hour = 0; hour < 5; hour++) {
    await backups.check()
    time.now += hourMs
  }

  const kept = ['14', '15', '16'].map((hour) => `shop-2027-01-01T${hour}-00-00Z.db`)
  assert.deepEqual(readdirSync(folder), [...others, ...kept].toSorted())
})

test('backups of another database with the same file name, or of a lost one, neither count nor are removed', async (t) => {
  const folder = temporaryFolder(t)
  async function openShop(inFolder: string) {
    const url = databaseIn(inFolder)
    const storage = await openStorage(url)
    await storage.pets.create({ name: 'Rex', categoryId: 1n })
    await storage.close()
    return schedule(folder, (file) => backupStorage(url, file), url)
  }
  const lost = await openShop(temporaryFolder(t))
  await lost.backups.check()

  const { backups, time } = await openShop(temporaryFolder(t))
  for (const passedMs of [minuteMs, hourMs, hourMs, hourMs]) {
    time.now += passedMs
    await backups.check()
  }

  const kept = ['12-00', '13-01', '14-01', '15-01'].map((at) => `petstore-2027-01-01T${at}-00Z.db`)
  assert.deepEqual(readdirSync(folder), kept)
  assert.equal(lost.backups.lastSuccessAt, noon)
})

test('a backup that fails is counted and told, removes no old one, and is tried again at the next check', async (t) => {
  const folder = temporaryFolder(t)
  let isBroken = false
  const { backups, time, failures } = schedule(folder, async (file) => {
    if (isBroken) throw new Error('The disk is full.')
    writeFileSync(file, '')
  })
  await backups.check()
  isBroken = true
  time.now += hourMs
  await backups.check()
  const whileBroken = readdirSync(folder)
  isBroken = false
  time.now += minuteMs
  await backups.check()

  assert.deepEqual(failures, ['The disk is full.'])
  assert.equal(backups.failures, 1)
  assert.deepEqual(whileBroken, ['shop-2027-01-01T12-00-00Z.db'])
  assert.equal(backups.lastSuccessAt, noon + hourMs + minuteMs)
})

test('a backup that takes longer than the interval is not joined by a second one', async (t) => {
  const written = Promise.withResolvers<void>()
  let begun = 0
  const { backups, time } = schedule(temporaryFolder(t), () => {
    begun++
    return written.promise
  })

  const first = backups.check()
  time.now += 2 * hourMs
  const second = backups.check()
  await until(() => begun > 0)
  written.resolve()
  await Promise.all([first, second])

  assert.equal(begun, 1)
})

test('backups go on when the clock is set back, and those from the future stay', async (t) => {
  const folder = temporaryFolder(t)
  const { backups, time } = schedule(folder)
  await backups.check()

  time.now -= 24 * hourMs
  await backups.check()
  await backups.check()

  assert.deepEqual(readdirSync(folder), ['shop-2026-12-31T12-00-00Z.db', 'shop-2027-01-01T12-00-00Z.db'])
  assert.equal(backups.lastSuccessAt, noon - 24 * hourMs)
})

test('stopping ends a backup and leaves nothing unfinished; what a kill left is removed by the next one', async (t) => {
  const folder = temporaryFolder(t)
  writeFileSync(join(folder, 'shop-2026-12-31T00-00-00Z.db.partial-999999999-abc-journal'), 'of a killed service')
  const ending = `.partial-${process.pid}-abc`
  const { backups, failures } = schedule(folder, async (file, signal) => {
    writeFileSync(file + ending, 'half')
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
    throw new Error('stopped')
  })

  void backups.check()
  await until(() => readdirSync(folder).some((name) => name.endsWith(ending)))
  const whileRunning = readdirSync(folder)
  await backups.stop()
  await backups.check()

  assert.deepEqual(whileRunning, [`shop-2027-01-01T12-00-00Z.db${ending}`])
  assert.deepEqual([readdirSync(folder), failures], [[], []])
})

test('backups are of the file that was opened, also when its link leads to another one by then', async (t) => {
  const folder = temporaryFolder(t)
  const link = join(folder, 'petstore.db')
  for (const [index, name] of ['first.db', 'other.db'].entries()) {
    const storage = await openStorage(`sqlite:${join(folder, name)}`)
    for (let count = 0; count <= index; count++) await storage.pets.create({ name: 'Rex', categoryId: 1n })
    await storage.close()
  }
  symlinkSync('first.db', link)
  mkdirSync(join(folder, 'backups'))
  const settings = { PETSTORE_BACKUP_FOLDER: join(folder, 'backups'), PETSTORE_DATABASE_URL: `sqlite:${link}` }
  const url = followDatabaseUrl(settings.PETSTORE_DATABASE_URL)
  const backups = await startBackups(readConfig({ ...settings, PETSTORE_LOG_LEVEL: 'silent' }), url)
  t.after(() => backups?.stop())
  await backups?.check()

  rmSync(link)
  symlinkSync('other.db', link)
  // Without it, another one is due.
  for (const name of readdirSync(join(folder, 'backups'))) rmSync(join(folder, 'backups', name))
  await backups?.check()

  const [made = ''] = readdirSync(join(folder, 'backups'))
  const storage = await openStorage(`sqlite:${join(folder, 'backups', made)}`)
  const count = await storage.pets.count({})
  await storage.close()
  assert.equal(count, 1n)
})

test('a folder for backups that is not there is refused at start', async (t) => {
  const folder = join(temporaryFolder(t), 'not-mounted')

  const { code, stderr } = await run(t, ['serve'], { env: { PETSTORE_PORT: '0', PETSTORE_BACKUP_FOLDER: folder } })

  assert.equal(code, 1)
  assert.match(stderr, /^petstore: PETSTORE_BACKUP_FOLDER must be a folder .*not-mounted" \(ENOENT\)\.\n$/)
})
