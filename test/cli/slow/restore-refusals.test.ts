import assert from 'node:assert/strict'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { run, startService } from '../../support/service.ts'
import { assertRefused, env, filesIn, load, restore, shopAndBackup } from '../../support/restored-shop.ts'

test('restore is refused while a service has the database open, also an idle one', async (t) => {
  const service = await startService(t, { env })
  const { cwd } = service
  await load(service, 4)
  await run(t, ['backup', 'backup.db'], { cwd, env })

  const ran = await restore(t, cwd, 'backup.db', '--overwrite')

  assertRefused(ran, /^petstore: The database petstore\.db is in use: stop the service, then restore\.\n$/)
  await load(service, 4)
  assert.equal(await service.stop(), 0)
  assert.deepEqual(readdirSync(cwd).toSorted(), ['backup.db', 'petstore.db'])
})

const sql = (text: string) => (file: string) => {
  const db = new DatabaseSync(file)
  db.exec(text)
  db.close()
}
for (const [what, spoil, refusal] of [
  ['that is not there', (file) => rmSync(file), /There is no file backup\.db to restore\./],
  ['that is empty', (file) => writeFileSync(file, ''), /backup\.db is empty: name a backup\./],
  ['that is no database', (file) => writeFileSync(file, 'x'.repeat(9000)), /backup\.db is not a SQLite database\./],
  [
    'that is cut off',
    (file) => writeFileSync(file, readFileSync(file).subarray(0, 20_480)),
    /backup\.db is not intact: .*\./,
  ],
  ['of another program', sql('PRAGMA application_id = 1'), /backup\.db is a database of another program: .*\./],
  [
    'from before the first release',
    sql('PRAGMA user_version = 5'),
    /backup\.db was made .* before the first release .*\./,
  ],
  ['of a newer version', sql('PRAGMA user_version = 999'), /backup\.db was written by a newer version .*\./],
  ['of staging', sql("UPDATE properties SET value = 'staging'"), /backup\.db belongs to staging, .*\./],
  ['that breaks a rule', sql('UPDATE pet_totals SET sold = 99'), /backup\.db is not intact: All categories .*\./],
  ['with a log', (file) => writeFileSync(`${file}-wal`, 'x'), /backup\.db is a database in use, .*petstore backup\./],
] as [string, (file: string) => void, RegExp][]) {
  test(`restore of a file ${what} is refused in one sentence and changes nothing`, async (t) => {
    const cwd = await shopAndBackup(t)
    spoil(join(cwd, 'backup.db'))
    const before = filesIn(cwd)

    const ran = await restore(t, cwd, 'backup.db', '--overwrite')

    assertRefused(ran, new RegExp(`^petstore: [^\\n]*${refusal.source}\\n$`))
    assert.deepEqual(filesIn(cwd), before)
  })
}

for (const [what, url, file, refusal] of [
  ['a folder', 'sqlite:petstore.db', '.', /^petstore: \. is not a file: name a backup\.\n$/],
  [
    'the database itself',
    'sqlite:petstore.db',
    'petstore.db',
    /^petstore: petstore\.db is the database itself: .*\.\n$/,
  ],
  [
    'a database in memory',
    'sqlite::memory:',
    'backup.db',
    /^petstore: An in-memory database cannot be restored: .*\.\n$/,
  ],
  [
    'a PostgreSQL database',
    'postgres://shop:secret@db.example/petstore',
    'shop.dump',
    /^petstore: PostgreSQL .* pg_restore .* --dbname='postgres:\/\/shop@db\.example\/petstore' shop\.dump\.\n$/,
  ],
] as const) {
  test(`restore of ${what} is refused in one sentence`, async (t) => {
    const cwd = await shopAndBackup(t)

    const ran = await run(t, ['restore', file, '--overwrite'], { cwd, env: { PETSTORE_DATABASE_URL: url } })

    assertRefused(ran, refusal)
  })
}
