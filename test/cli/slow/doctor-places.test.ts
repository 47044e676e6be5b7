import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, type TestContext, test } from 'node:test'
import type { Finding } from '../../../src/cli/doctor/finding.ts'
import { certificateFiles } from '../../support/certificates.ts'
import { ordinaryUser, skipAsOrdinaryUser } from '../../support/ordinary-user.ts'
import { folderWithDatabase, runProcess, startService } from '../../support/service.ts'
import { makeReadOnly, smallDisk } from '../../support/small-disk.ts'

const skip = skipAsOrdinaryUser()
const parent = mkdtempSync(join(tmpdir(), 'petstore-test-'))
chmodSync(parent, 0o755)
// Not by the test: its folders are open again after its last hook.
after(() => rmSync(parent, { recursive: true, force: true }))
const onLinux = { skip: skip || (process.platform === 'linux' ? (false as const) : 'there is no /proc') }
/** The checks that every deployment on SQLite gets, whatever is wrong with it. */
const always = ['settings', 'folder', 'disk', 'database', 'clock', 'port']

/** What doctor says as an ordinary user. It never gives up, and never advises to change the permissions of others' files. */
async function doctor(t: TestContext, cwd: string, env: Record<string, string>): Promise<Finding[]> {
  const settings = { PETSTORE_PORT: '0', ...env }
  const { stdout, stderr } = await runProcess(t, ['doctor', '--json'], { cwd, env: settings, user: ordinaryUser })
  assert.equal(stderr, '')
  assert.doesNotMatch(stdout, /unexpected|could not be checked|NaN|undefined|chmod/)
  return (JSON.parse(stdout) as { checks: Finding[] }).checks
}

/** Asserts that all checks were made, and that these are problems. */
function assertProblems(found: readonly Finding[], problems: Record<string, RegExp>): void {
  const checks = new Set(found.map(({ check }) => check))
  assert.deepEqual(
    always.filter((check) => !checks.has(check)),
    [],
  )
  for (const [check, sentence] of Object.entries(problems)) {
    const sentences = found.filter((each) => each.check === check && each.result === 'problem')
    assert.match(sentences.map((each) => each.sentence).join('\n'), sentence, JSON.stringify(found, null, 2))
  }
}

/** A working folder that the user may use. */
function folderOfUser(): string {
  const folder = mkdtempSync(join(parent, 'place-'))
  const { uid, gid } = ordinaryUser
  if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid)
  return folder
}

/** Nobody but root may look into it, until the test ends. */
function closeFolder(t: TestContext, folder: string): void {
  chmodSync(folder, 0)
  t.after(() => chmodSync(folder, 0o700))
}

test('doctor makes all checks of a database in the folder of another user', { skip }, async (t) => {
  const cwd = folderOfUser()
  const foreign = mkdtempSync(join(parent, 'place-'))
  copyFileSync(join(folderWithDatabase(t, 'shop.db'), 'shop.db'), join(foreign, 'shop.db'))
  closeFolder(t, foreign)

  for (const path of ['shop.db', 'deep/er/shop.db']) {
    const found = await doctor(t, cwd, { PETSTORE_DATABASE_URL: `sqlite:${join(foreign, path)}` })
    assertProblems(found, { folder: /may not write/, database: /cannot be read \(EACCES\)/ })
  }
})

test('doctor makes all checks if backups, certificates and .env belong to another user', { skip }, async (t) => {
  const cwd = folderOfUser()
  const foreign = mkdtempSync(join(parent, 'place-'))
  const { cert } = certificateFiles('first')
  writeFileSync(join(foreign, 'shop.key'), '', { mode: 0 })
  chmodSync(foreign, 0o711)
  mkdirSync(join(foreign, 'backups'))
  closeFolder(t, join(foreign, 'backups'))

  const found = await doctor(t, cwd, {
    PETSTORE_DATABASE_URL: `sqlite:${join(cwd, 'shop.db')}`,
    PETSTORE_BACKUP_FOLDER: join(foreign, 'backups', 'daily'),
    PETSTORE_TLS_CERT: cert,
    PETSTORE_TLS_KEY: join(foreign, 'shop.key'),
  })
  assertProblems(found, { backup: /must be a folder .* \(EACCES\)/, certificate: /\(EACCES\)/ })

  closeFolder(t, cwd)
  const { stdout } = await runProcess(t, ['doctor'], { cwd, user: ordinaryUser })
  assert.match(stdout, /^problem +settings +The file \.env cannot be read \(EACCES\)\./m)
})

test('doctor says of a file that is not a database what it is, and gives no advice about its permissions', {
  skip,
}, async (t) => {
  const cwd = folderOfUser()
  const shared = mkdtempSync(join(parent, 'place-'))
  chmodSync(shared, 0o755)
  mkdirSync(join(shared, 'folder'), { mode: 0o755 })
  writeFileSync(join(shared, 'passwords'), 'root:x:0:0\n'.repeat(20), { mode: 0o644 })
  spawnSync('mkfifo', ['-m', '666', join(shared, 'pipe')])

  for (const [name, problems] of [
    ['folder', { database: /is a folder: name a file in it/ }],
    ['pipe', { database: /is not a file/ }],
    ['passwords', { folder: /may not write \S+passwords/, database: /is not a SQLite database/ }],
    ['passwords/shop.db', { folder: /passwords is not a folder/, database: /\(ENOTDIR\)/ }],
  ] as const) {
    assertProblems(await doctor(t, cwd, { PETSTORE_DATABASE_URL: `sqlite:${join(shared, name)}` }), problems)
  }
})

test(
  'doctor says of a device and of a folder of the kernel that they are no place for a database',
  onLinux,
  async (t) => {
    const cwd = folderOfUser()

    assertProblems(await doctor(t, cwd, { PETSTORE_DATABASE_URL: 'sqlite:/dev/null' }), { database: /is not a file/ })
    for (const path of ['/proc/shop.db', '/proc/self/shop.db', '/proc/petstore/shop.db']) {
      const found = await doctor(t, cwd, { PETSTORE_DATABASE_URL: `sqlite:${path}` })
      assertProblems(found, { disk: /is on no disk: use a local disk/ })
    }
  },
)

test('doctor tells a disk that is not mounted, and one that is read-only', { skip }, async (t) => {
  const cwd = folderOfUser()
  const missing = await doctor(t, cwd, {
    PETSTORE_DATABASE_URL: `sqlite:${join(cwd, 'mount/shop.db')}`,
    PETSTORE_BACKUP_FOLDER: join(cwd, 'backups'),
  })
  assertProblems(missing, { backup: /PETSTORE_BACKUP_FOLDER must be a folder .* \(ENOENT\)/ })
  assert.match(missing.find(({ check }) => check === 'folder')?.sentence ?? '', /There is no folder \S+mount yet/)
  assert.deepEqual(readdirSync(cwd), [])

  const disk = smallDisk(t)
  if (disk === undefined) return
  chmodSync(disk, 0o1777)
  makeReadOnly(disk)
  const readOnly = await doctor(t, cwd, { PETSTORE_DATABASE_URL: `sqlite:${join(disk, 'shop.db')}` })
  assert.match(
    readOnly.find(({ check }) => check === 'folder')?.sentence ?? '',
    /may not write \S+ \(EROFS\): mount its disk for writing/,
  )
})

test('doctor has a problem if a pet store with another database holds the port, as serve has', { skip }, async (t) => {
  const { origin, cwd: itsFolder } = await startService(t)
  const cwd = folderOfUser()
  const env = { PETSTORE_PORT: new URL(origin).port }

  const found = await doctor(t, cwd, env)
  const served = await runProcess(t, ['serve'], { cwd, env, user: ordinaryUser })
  const own = await runProcess(t, ['doctor', '--json'], { cwd: itsFolder, env })

  assertProblems(found, { port: /A pet store with another database answers at http:/ })
  assert.equal(served.code, 1)
  assert.match(own.stdout, /"A pet store answers at http:/)
})
