import assert from 'node:assert/strict'
import { copyFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test, type TestContext } from 'node:test'
import { backupStorage } from '../../src/storage/backup.ts'
import { checkStorage } from '../../src/storage/check/check.ts'
import { openStorage } from '../../src/storage/open.ts'
import { verifyCopy } from '../../src/storage/sqlite/upkeep/backup.ts'
import { latestSchema } from '../../src/storage/sqlite/schema/migrate.ts'
import { damageTable } from '../support/damage.ts'
import { temporaryFolder } from '../support/engines.ts'

async function shopIn(folder: string): Promise<string> {
  const file = join(folder, 'shop.db')
  const storage = await openStorage(`sqlite:${file}`, { environment: 'production' })
  await storage.pets.create({ name: 'Rex', categoryId: 1n })
  await storage.close()
  return file
}

async function resultsOf(file: string): Promise<Set<string>> {
  const results = await Array.fromAsync(checkStorage(`sqlite:${file}`, 'production'))
  return new Set(results.map(({ result }) => result))
}

for (const [what, copy] of [
  ['a backup', (shop: string, file: string) => backupStorage(`sqlite:${shop}`, file)],
  ['a database of a stopped service', async (shop: string, file: string) => copyFileSync(shop, file)],
] as const) {
  test(`a check of ${what} leaves no files beside it`, async (t: TestContext) => {
    const folder = temporaryFolder(t)
    await copy(await shopIn(folder), join(folder, 'copy.db'))
    const files = readdirSync(folder)

    const results = await resultsOf(join(folder, 'copy.db'))

    assert.deepEqual(results, new Set(['ok']))
    assert.deepEqual(readdirSync(folder), files)
    assert.deepEqual(files, ['copy.db', 'shop.db'])
  })
}

test('a database with damage is not backed up, and the refusal says what SQLite finds', async (t) => {
  const folder = temporaryFolder(t)
  const shop = await shopIn(folder)
  damageTable(shop, 'pets')

  const backup = backupStorage(`sqlite:${shop}`, join(folder, 'backup.db'))

  await assert.rejects(backup, /^StorageError: The copy of the database .*shop\.db is not intact: SQLite .*\.$/)
  assert.deepEqual(readdirSync(folder), ['shop.db'])
})

test('an empty database and one of another program are not backed up: nobody could restore the copy', async (t) => {
  const folder = temporaryFolder(t)
  writeFileSync(join(folder, 'empty.db'), '')
  const other = new DatabaseSync(join(folder, 'other.db'))
  other.exec('CREATE TABLE cats (id)')
  other.close()
  const backUp = (file: string) => backupStorage(`sqlite:${join(folder, file)}`, join(folder, 'backup.db'))

  await assert.rejects(
    backUp('empty.db'),
    /^StorageError: The database .*empty\.db is empty: there is nothing to copy\.$/,
  )
  await assert.rejects(backUp('other.db'), /^StorageError: .*other\.db is a database of another program: .*\.$/)
  assert.deepEqual(readdirSync(folder), ['empty.db', 'other.db'])
})

test('a copy that was removed before it is verified is not replaced by an empty backup', async (t) => {
  const folder = temporaryFolder(t)
  const shop = await shopIn(folder)

  assert.throws(() => verifyCopy(join(folder, 'gone.db'), shop, latestSchema()), {
    name: 'StorageError',
    message: `The copy of the database ${shop} was removed before it was complete.`,
  })
})
