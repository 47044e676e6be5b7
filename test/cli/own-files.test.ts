import assert from 'node:assert/strict'
import { linkSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { refuseOwnFile } from '../../src/storage/shared/own-file.ts'
import { temporaryFolder } from '../support/engines.ts'
import { folderWithDatabase, run } from '../support/service.ts'

const env = { PETSTORE_DATABASE_URL: 'sqlite:./petstore.db' }

test('no command writes its file over the database', async (t) => {
  const cwd = folderWithDatabase(t, 'petstore.db')
  writeFileSync(join(cwd, 'animals.csv'), 'name,categoryId\n,1\n')
  const commands = [
    ['export', '--format', 'csv', 'petstore.db'],
    ['import', 'animals.csv', '--rejects', 'petstore.db'],
    ['backup', 'petstore.db'],
  ]

  for (const command of commands) {
    const { code, stderr } = await run(t, command, { cwd, env })

    assert.equal(code, 1, command.join(' '))
    assert.equal(stderr, 'petstore: petstore.db is a file of the database itself: name another one.\n')
  }
  assert.equal(readFileSync(join(cwd, 'petstore.db'), 'latin1').slice(0, 15), 'SQLite format 3')
})

test('a file of the database is recognised by every name that it has', (t) => {
  const folder = temporaryFolder(t)
  const database = join(folder, 'petstore.db')
  writeFileSync(database, '')
  writeFileSync(join(folder, 'animals.csv'), '')
  symlinkSync(database, join(folder, 'link.db'))
  linkSync(database, join(folder, 'second.db'))
  symlinkSync(folder, join(folder, 'folder'))

  for (const name of [
    'petstore.db',
    'petstore.db-wal',
    'petstore.db-journal',
    'link.db',
    'second.db',
    'folder/petstore.db-shm',
  ])
    assert.throws(
      () => refuseOwnFile(join(folder, name), `sqlite:${database}`),
      /is a file of the database itself/,
      name,
    )
  for (const name of ['animals.csv', 'new.csv', 'petstore.db.csv', 'missing/petstore.db'])
    refuseOwnFile(join(folder, name), `sqlite:${database}`)
  refuseOwnFile(database, 'postgres://shop@db.example/petstore')
})
