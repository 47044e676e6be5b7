import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import fs, { copyFileSync, mkdirSync, readdirSync, readlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { openStorage } from '../../../src/storage/open.ts'
import { makeFolderOf } from '../../../src/storage/sqlite/connection/make-folder.ts'
import { temporaryFolder } from '../../support/engines.ts'
import { makeReadOnly, smallDisk } from '../../support/small-disk.ts'
import { folderWithDatabase, main, run } from '../../support/service.ts'

// What is wrong with a file, a folder or a disk is told in one sentence, whatever the verb.

const openers = [
  ['serve'],
  ['serve', '--workers', '2'],
  ['keys', 'create', '--name', 'till'],
  ['keys', 'list'],
  ['migrate'],
  ['import', 'animals.csv'],
  ['export', 'out.csv'],
]
/** The verbs that make a database. */
const twoOpeners = [['serve'], ['migrate']]

const notMade = 'The folder \\S+ for the database cannot be made'
const notOpened = 'The database \\S+ cannot be opened for writing'

/** A folder with what goes wrong in it. */
async function brokenPlaces(t: TestContext): Promise<string> {
  const cwd = temporaryFolder(t)
  writeFileSync(join(cwd, 'animals.csv'), 'name,categoryId\nRex,1\n')
  mkdirSync(join(cwd, 'folder'))
  await (await openStorage(`sqlite:${join(cwd, 'good.db')}`)).close()
  copyFileSync(join(cwd, 'good.db'), join(cwd, 'cut.db'))
  truncateSync(join(cwd, 'cut.db'), 300)
  return cwd
}

for (const [what, path, sentence, verbs] of [
  ['in a folder that cannot be made', '/proc/petstore/pets.db', `${notMade} \\(ENOENT\\)\\.`, twoOpeners],
  ['below a file', 'animals.csv/a/pets.db', `${notMade} \\(ENOTDIR\\)\\.`, twoOpeners],
  ['in a file', 'animals.csv/pets.db', `${notOpened} \\(ENOTDIR\\): [^\\n]+`, twoOpeners],
  ['that is a folder', 'folder', 'folder is a folder: name a file in it\\.', twoOpeners],
  ['that is another file', 'animals.csv', 'animals\\.csv is not a SQLite database\\.', twoOpeners],
  ['that is cut off', 'cut.db', 'The database cut\\.db is damaged \\([^)]+\\): [^\\n]+', openers],
] as const) {
  test(`a database ${what} is refused in one sentence${verbs === openers ? ', whatever the verb' : ''}`, async (t) => {
    if (path.startsWith('/proc') && process.platform !== 'linux') return t.skip('there is no /proc')
    const cwd = await brokenPlaces(t)
    const env = { PETSTORE_DATABASE_URL: `sqlite:${path}`, PETSTORE_PORT: '0' }

    for (const args of verbs) assertSentence(await run(t, args, { cwd, env }), sentence)
    assertSentence(await run(t, ['copy', '--from', 'sqlite:good.db', '--to', `sqlite:${path}`], { cwd }), sentence)
  })
}

test('only serve, migrate, restore and copy make a database; other verbs refuse a missing one and make nothing', async (t) => {
  const cwd = temporaryFolder(t)
  writeFileSync(join(cwd, 'animals.csv'), 'name,categoryId\nRex,1\n')
  const verbs = [
    ['keys', 'create', '--name', 'till'],
    ['keys', 'list'],
    ['keys', 'revoke', 'till'],
    ['keys', 'rotate', 'till'],
    ['import', 'animals.csv'],
    ['export', 'out.csv'],
    ['check'],
    ['backup', 'backup.db'],
    ['copy', '--from', 'sqlite:./data/petstore.db', '--to', 'sqlite:./to.db'],
  ]

  for (const args of verbs) {
    assertSentence(await run(t, args, { cwd }), 'There is no database \\./data/petstore\\.db[^\\n]*\\.')
  }
  assert.deepEqual(readdirSync(cwd), ['animals.csv'])
})

test('a full disk is told by every verb in one sentence', async (t) => {
  const disk = smallDisk(t)
  if (disk === undefined) return
  const cwd = await brokenPlaces(t)
  const url = `sqlite:${join(disk, 'pets.db')}`
  await (await openStorage(url)).close()
  fillUp(disk)
  const env = { PETSTORE_DATABASE_URL: url, PETSTORE_PORT: '0' }
  const full = 'The disk of the database \\S+ is full[^\\n]*\\.'

  for (const args of openers) assertSentence(await run(t, args, { cwd, env }), full)
  const fresh = { ...env, PETSTORE_DATABASE_URL: `sqlite:${join(disk, 'fresh.db')}` }
  assertSentence(await run(t, ['migrate'], { cwd, env: fresh }), full)
  assertSentence(
    await run(t, ['backup', join(disk, 'backup.db')], { cwd, env: { PETSTORE_DATABASE_URL: 'sqlite:good.db' } }),
    'The database good\\.db cannot be copied to [^\\n]+',
  )
})

test('a key that no longer fits on the disk is not made, and that is told in one sentence', async (t) => {
  const disk = smallDisk(t)
  if (disk === undefined) return
  const url = `sqlite:${join(disk, 'pets.db')}`
  // Keeps the log open, so that opening the database once more needs no room.
  const storage = await openStorage(url, { environment: 'production' })
  t.after(() => storage.close())
  await storage.pets.create({ name: 'Rex', categoryId: 1n })
  fillUp(disk)

  const ran = await run(t, ['keys', 'create', '--name', 'till'], { env: { PETSTORE_DATABASE_URL: url } })

  assertSentence(ran, '[^\\n]+\\((database or disk is full|disk I/O error)\\)')
  assert.deepEqual(await storage.keys.list(), [])
})

test('a disk that only reads is told in one sentence', async (t) => {
  const disk = smallDisk(t)
  if (disk === undefined) return
  const cwd = await brokenPlaces(t)
  const url = `sqlite:${join(disk, 'pets.db')}`
  await (await openStorage(url)).close()
  makeReadOnly(disk)
  const env = { PETSTORE_DATABASE_URL: url, PETSTORE_PORT: '0' }

  for (const args of twoOpeners) assertSentence(await run(t, args, { cwd, env }), `${notOpened} \\(EROFS\\): [^\\n]+`)
  const below = { ...env, PETSTORE_DATABASE_URL: `sqlite:${join(disk, 'new', 'pets.db')}` }
  assertSentence(await run(t, ['migrate'], { cwd, env: below }), `${notMade} \\(EROFS\\)\\.`)
})

for (const args of [['openapi'], ['keys', 'list'], ['keys', 'create', '--name', 'till'], ['export']]) {
  test(`petstore ${args.join(' ')} tells in one sentence that standard output is full`, (t) => {
    if (process.platform !== 'linux') return t.skip('there is no /dev/full')
    const cwd = folderWithDatabase(t)
    if (args[0] === 'export') {
      writeFileSync(join(cwd, 'a.csv'), 'name,categoryId\nRex,1\n')
      spawnSync(process.execPath, [main, 'import', 'a.csv'], { cwd })
    }

    const { status, stderr } = spawnSync(process.execPath, [main, ...args], {
      cwd,
      stdio: ['ignore', fs.openSync('/dev/full', 'w'), 'pipe'],
    })

    assert.equal(stderr.toString(), 'petstore: Standard output cannot be written (ENOSPC).\n')
    assert.equal(status, 1)
  })
}

test('a .env that is a folder is refused in one sentence', async (t) => {
  const cwd = temporaryFolder(t)
  mkdirSync(join(cwd, '.env'))

  assertSentence(await run(t, ['keys', 'list'], { cwd }), '\\.env is a folder: it must be a file with settings\\.')
})

test('a backup into a folder that is not there is refused in one sentence', async (t) => {
  const cwd = await brokenPlaces(t)

  const ran = await run(t, ['backup', 'nowhere/b.db'], { cwd, env: { PETSTORE_DATABASE_URL: 'sqlite:good.db' } })

  assertSentence(ran, 'The file nowhere/b\\.db cannot be written \\(ENOENT\\)\\.')
})

test('each folder that is made for a database is flushed into the one above it', (t) => {
  if (process.platform !== 'linux') return t.skip('finds the names of open files in /proc')
  const folder = temporaryFolder(t)
  const flushed: string[] = []
  const { fsyncSync } = fs
  fs.fsyncSync = (descriptor) => {
    flushed.push(readlinkSync(`/proc/self/fd/${descriptor}`))
    fsyncSync(descriptor)
  }
  syncBuiltinESMExports()
  t.after(() => {
    fs.fsyncSync = fsyncSync
    syncBuiltinESMExports()
  })

  makeFolderOf(join(folder, 'a', 'b', 'c', 'pets.db'))
  makeFolderOf(join(folder, 'a', 'b', 'c', 'pets.db'))

  const real = fs.realpathSync(folder)
  assert.deepEqual(flushed, [real, join(real, 'a'), join(real, 'a', 'b')])
})

/** Leaves no byte free. */
function fillUp(disk: string): void {
  const file = fs.openSync(join(disk, 'filler'), 'a')
  try {
    for (;;) fs.writeSync(file, Buffer.alloc(4096))
  } catch (error) {
    assert.equal((error as NodeJS.ErrnoException).code, 'ENOSPC')
  } finally {
    fs.closeSync(file)
  }
}

function assertSentence({ code, stdout, stderr }: Awaited<ReturnType<typeof run>>, sentence: string): void {
  assert.match(stderr, new RegExp(`^petstore: ${sentence}\\n$`))
  assert.deepEqual([code, stdout], [1, ''])
}
