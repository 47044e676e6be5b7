import assert from 'node:assert/strict'
import { chmodSync, chownSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { backupStorage } from '../../../src/storage/backup.ts'
import { openStorage } from '../../../src/storage/open.ts'
import { temporaryFolder } from '../../support/engines.ts'
import { ordinaryUser, skipAsOrdinaryUser } from '../../support/ordinary-user.ts'
import { type CommandOptions, type Ran, run } from '../../support/service.ts'

const skip = skipAsOrdinaryUser()
const rex = { name: 'Rex', categoryId: 1n, status: 'available' } as const

/** A folder of the ordinary user, with a shop that has one animal. */
async function shopFolder(t: TestContext): Promise<string> {
  const folder = temporaryFolder(t)
  const url = `sqlite:${join(folder, 'shop.db')}`
  const storage = await openStorage(url, { environment: 'production' })
  await storage.pets.create(rex)
  await storage.orders.place({ petId: 1n })
  await storage.close()
  await backupStorage(url, join(folder, 'backup.db'))
  const { uid, gid } = ordinaryUser
  if (uid !== undefined && gid !== undefined) {
    for (const path of ['.', ...readdirSync(folder)]) chownSync(join(folder, path), uid, gid)
  }
  return folder
}

function runAs(t: TestContext, args: readonly string[], cwd: string, database = 'shop.db'): Promise<Ran> {
  const env = { PETSTORE_DATABASE_URL: `sqlite:${database}`, PETSTORE_PORT: '0', TMPDIR: '/tmp' }
  return run(t, args, { cwd, env, user: ordinaryUser } satisfies CommandOptions)
}

for (const [what, key] of Object.entries({
  'a key': { PETSTORE_API_KEY: 'a'.repeat(40) },
  'no key': {},
})) {
  test(`a file that this user may not write is refused by serve with ${what} in one sentence`, { skip }, async (t) => {
    const cwd = await shopFolder(t)
    chmodSync(join(cwd, 'shop.db'), 0o400)
    const env = { PETSTORE_DATABASE_URL: 'sqlite:shop.db', PETSTORE_PORT: '0', ...key }

    const { code, stdout, stderr } = await run(t, ['serve'], { cwd, env, user: ordinaryUser })

    assert.match(stderr, /^petstore: The database shop\.db cannot be opened for writing \(EACCES\): [^\n]+\.\n$/)
    assert.deepEqual([code, stdout], [1, ''])
    // A log that is left there would have the permissions of the file, and keep the next start from writing.
    assert.deepEqual(readdirSync(cwd).toSorted(), ['backup.db', 'shop.db'])
  })
}

for (const args of [['keys', 'create', '--name', 'till'], ['migrate'], ['import', 'animals.csv']]) {
  test(`petstore ${args[0]} refuses a file that this user may not write in one sentence`, { skip }, async (t) => {
    const cwd = await shopFolder(t)
    writeFileSync(join(cwd, 'animals.csv'), 'name,categoryId\nTom,1\n', { mode: 0o644 })
    chmodSync(join(cwd, 'shop.db'), 0o400)

    const { code, stderr } = await runAs(t, args, cwd)

    assert.match(stderr, /^petstore: The database shop\.db cannot be opened for writing \(EACCES\): [^\n]+\.\n$/)
    assert.equal(code, 1)
  })
}

for (const [args, expected] of [
  [['export'], /"name":"Rex"/],
  [['export', '--name', 'rex'], /"name":"Rex"/],
  [['export-orders'], /"petId":1/],
  [['keys', 'list'], /There are no keys/],
  [['webhooks', 'list'], /There are no webhooks/],
  [['check'], /no errors found/],
] as const) {
  test(`petstore ${args.join(' ')} reads a backup that nobody may write, in a folder that nobody may write`, {
    skip,
  }, async (t) => {
    const cwd = await shopFolder(t)
    chmodSync(join(cwd, 'backup.db'), 0o400)
    chmodSync(cwd, 0o500)

    const { code, stdout, stderr } = await runAs(t, args, cwd, 'backup.db')

    assert.equal(stderr, '')
    assert.match(stdout, expected)
    assert.equal(code, 0)
    assert.deepEqual(readdirSync(cwd).toSorted(), ['backup.db', 'shop.db'])
  })
}

test('a file that this user may not read is told in one sentence', { skip }, async (t) => {
  const cwd = await shopFolder(t)
  chmodSync(join(cwd, 'backup.db'), 0)

  const { code, stderr } = await runAs(t, ['export'], cwd, 'backup.db')

  assert.match(stderr, /^petstore: The database backup\.db cannot be read \(EACCES\): [^\n]+\.\n$/)
  assert.equal(code, 1)
})
