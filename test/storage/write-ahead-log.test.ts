import assert from 'node:assert/strict'
import { once } from 'node:events'
import { statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { limitLog } from '../../src/storage/sqlite/writes/write-ahead-log.ts'
import { temporaryFolder } from '../support/engines.ts'

const maxBytes = 256 * 1024
const rowBytes = 16 * 1024

test('the log stays short although some connection always reads', async (t) => {
  const { path, db, write } = openLogged(t)
  await Promise.all([1, 2, 3].map(() => startReader(t, path)))
  const keepLogShort = limitLog(db, path, maxBytes)

  let longest = 0
  for (let commits = 0; commits < 200; commits++) {
    write()
    keepLogShort()
    longest = Math.max(longest, logBytes(path))
  }

  // On a busy machine a reader may sleep for longer than the log waits for it. Never emptied, the log has 5 MB.
  assert.ok(longest <= 8 * maxBytes, `${longest} bytes`)
})

test('a connection that reads for long delays only some commits, and the log is emptied after it', (t) => {
  const { path, db, write } = openLogged(t)
  const keepLogShort = limitLog(db, path, maxBytes)
  const backup = new DatabaseSync(path, { readOnly: true })
  t.after(() => backup.close())
  backup.exec('BEGIN; SELECT count(*) FROM rows')

  const prepare = t.mock.method(db, 'prepare')
  for (let commits = 0; commits < 100; commits++) {
    write()
    keepLogShort()
  }
  // Each waits for the reader.
  const delayed = prepare.mock.calls.filter(({ arguments: [sql] }) => sql.includes('wal_checkpoint')).length
  const whileReading = logBytes(path)
  backup.exec('COMMIT')
  for (let commits = 0; commits < 20; commits++) {
    write()
    keepLogShort()
  }

  assert.ok(whileReading > 4 * maxBytes, `${whileReading} bytes`)
  assert.ok(delayed > 0 && delayed <= whileReading / maxBytes, `${delayed} delays`)
  assert.ok(logBytes(path) <= maxBytes, `${logBytes(path)} bytes`)
  assert.equal(db.prepare('PRAGMA busy_timeout').get()?.['timeout'], 1_234)
})

/** A database with a log that SQLite itself does not limit. `write` commits a row. */
function openLogged(t: TestContext) {
  const path = `${temporaryFolder(t)}/rows.db`
  const db = new DatabaseSync(path, { timeout: 1_234 })
  t.after(() => db.close())
  db.exec('PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; CREATE TABLE rows (text)')
  const insert = db.prepare('INSERT INTO rows VALUES (?)')
  return { path, db, write: () => void insert.run('x'.repeat(rowBytes)) }
}

/** A thread whose read transactions follow each other without a pause. */
async function startReader(t: TestContext, path: string): Promise<void> {
  const script = `
    const { DatabaseSync } = require('node:sqlite')
    const { parentPort, workerData } = require('node:worker_threads')
    const db = new DatabaseSync(workerData, { readOnly: true })
    for (let times = 0; ; times++) {
      db.exec('BEGIN; SELECT count(*) FROM rows')
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3)
      db.exec('COMMIT')
      if (times === 0) parentPort.postMessage('reads')
    }`
  const thread = new Worker(script, { eval: true, workerData: path })
  t.after(() => thread.terminate())
  await once(thread, 'message')
}

function logBytes(path: string): number {
  return statSync(`${path}-wal`).size
}
