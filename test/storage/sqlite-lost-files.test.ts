import assert from 'node:assert/strict'
import { cpSync, existsSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { openStorage } from '../../src/storage/open.ts'
import { run } from '../support/service.ts'
import { notStored, opened, openedAt, rex, unavailable, unknownOutcome } from '../support/sqlite-health.ts'

const harms: Record<string, { do(path: string): void; undo(path: string): void }> = {
  'the file is renamed': {
    do: (path) => renameSync(path, `${path}.old`),
    undo: (path) => renameSync(`${path}.old`, path),
  },
  'the file is replaced by another': {
    do(path) {
      renameSync(path, `${path}.old`)
      cpSync(`${path}.old`, path)
    },
    undo: (path) => renameSync(`${path}.old`, path),
  },
  'the log is renamed': {
    do: (path) => renameSync(`${path}-wal`, `${path}.log`),
    undo: (path) => renameSync(`${path}.log`, `${path}-wal`),
  },
  'the shared memory is renamed': {
    do: (path) => renameSync(`${path}-shm`, `${path}.memory`),
    undo: (path) => renameSync(`${path}.memory`, `${path}-shm`),
  },
  'the folder is renamed': {
    do: (path) => renameSync(dirname(path), `${dirname(path)}.old`),
    undo: (path) => renameSync(`${dirname(path)}.old`, dirname(path)),
  },
  'the folder becomes a file': {
    do(path) {
      renameSync(dirname(path), `${dirname(path)}.old`)
      writeFileSync(dirname(path), '')
    },
    undo(path) {
      rmSync(dirname(path))
      renameSync(`${dirname(path)}.old`, dirname(path))
    },
  },
  // Like a folder that the user of the service may not read, which root always may.
  'the folder cannot be read': {
    do(path) {
      renameSync(dirname(path), `${dirname(path)}.old`)
      symlinkSync(dirname(path), dirname(path))
    },
    undo(path) {
      rmSync(dirname(path))
      renameSync(`${dirname(path)}.old`, dirname(path))
    },
  },
}

for (const [what, harm] of Object.entries(harms)) {
  test(`sqlite: nothing is acknowledged after ${what}, and writes succeed when it is back`, async (t) => {
    const { storage, path, reports } = await opened(t)
    await storage.pets.create(rex)

    harm.do(path)
    await assert.rejects(storage.pets.create(rex), unknownOutcome)
    await assert.rejects(storage.pets.create(rex), notStored)
    await assert.rejects(storage.check(), unavailable)
    const page = await storage.pets.list({}, 20, 0n)
    harm.undo(path)
    await storage.check()
    await storage.pets.create(rex)

    assert.equal(page.items[0]?.name, 'Rex')
    assert.equal(reports.length, 2)
    assert.match(
      reports[0] ?? '',
      /^The files of the database were moved, deleted or replaced [^\n]+ (Put them back\. |Restart the service\.$)/,
    )
    assert.equal(reports[1], undefined)
    await storage.close()
    const after = await openStorage(`sqlite:${path}`)
    t.after(() => after.close())
    // The one of which nobody knew is there too: the file came back.
    assert.equal(await after.pets.count({}), 3n)
  })
}

test('sqlite: a storage with missing files is not ready, even without a write', async (t) => {
  const { storage, path, reports } = await opened(t)
  await storage.check()

  rmSync(dirname(path), { recursive: true })

  await assert.rejects(storage.check(), unavailable)
  await assert.rejects(storage.check(), unavailable)
  assert.equal(reports.length, 1)
})

test('sqlite: closing a replaced database does not change the new one', async (t) => {
  const { storage, path } = await opened(t)
  await storage.pets.create(rex)
  renameSync(dirname(path), `${dirname(path)}.old`)
  const { storage: other } = await openedAt(t, path)
  await other.pets.create(rex)

  await storage.close()

  assert.ok(existsSync(`${path}-wal`))
  await other.pets.create(rex)
  await other.close()
  const { storage: after } = await openedAt(t, path)
  assert.equal(await after.pets.count({}), 2n)
  const { storage: old } = await openedAt(t, join(`${dirname(path)}.old`, 'petstore.db'))
  assert.equal(await old.pets.count({}), 1n)
})

test('sqlite: closing a database with a removed log keeps what others wrote since', async (t) => {
  const { storage, path } = await opened(t)
  await storage.pets.create(rex)
  rmSync(`${path}-wal`)
  rmSync(`${path}-shm`)
  // In a process of its own: connections of one process share what they know of the log.
  const env = { PETSTORE_DATABASE_URL: `sqlite:${path}` }
  const input = '{"name":"Tom","categoryId":1}'
  const { code, stderr } = await run(t, ['import', '-'], { env, input })
  assert.equal(code, 0, stderr)

  await storage.close()

  const { storage: after } = await openedAt(t, path)
  assert.deepEqual((await after.pets.list({}, 20, 0n)).items, [{ id: 1n, name: 'Tom', categoryId: 1n }])
})
