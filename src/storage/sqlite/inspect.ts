import { closeSync, existsSync, openSync, readSync, statfsSync } from 'node:fs'
import { resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import type { Inspection } from '../shared/inspection.ts'
import { StorageError } from '../shared/errors.ts'
import { applicationId, openForReading, pragma } from './database.ts'
import { environmentOf } from './environment.ts'
import { explain } from './errors.ts'
import { latestSchema, schemaNumber } from './migrate.ts'
import { unfinishedCopy } from './unfinished-copy.ts'

/** Undefined if there is no such file yet. */
export function inspect(path: string): Inspection | undefined {
  if (!existsSync(path)) return undefined
  const db = openUntouched(path)
  try {
    const schema = schemaNumber(db)
    const isEmpty = schema === 0 && pragma(db, 'schema_version') === 0
    if (!isEmpty && pragma(db, 'application_id') !== applicationId) {
      throw new StorageError(`${path} is a database of another program: set PETSTORE_DATABASE_URL to another file.`)
    }
    return {
      schema,
      latestSchema: latestSchema(),
      maxAhead: 0,
      environment: environmentOf(db),
      hasUnfinishedCopy: unfinishedCopy(db) !== undefined,
      latestEventAt: latestEventAt(db),
      unsafe: [...(isEmpty ? [] : unsafeMode(path)), ...unsafeDisk(path)],
      doubtful: [],
    }
  } catch (error) {
    throw explain(path, error)
  } finally {
    db.close()
  }
}

/**
 * Even a read-only connection makes the files beside a database in WAL mode. So, if they are not there, nobody uses the
 * database, and it is opened as one that does not change.
 */
function openUntouched(path: string): DatabaseSync {
  if (existsSync(`${path}-wal`) && existsSync(`${path}-shm`)) return openForReading(path)
  const url = pathToFileURL(resolve(path))
  url.searchParams.set('immutable', '1')
  try {
    const db = new DatabaseSync(url, { readOnly: true })
    pragma(db, 'schema_version') // The first read: it opens the file.
    return db
  } catch (error) {
    throw explain(path, error)
  }
}

function latestEventAt(db: DatabaseSync): number | undefined {
  // The first schemas had no events.
  if (db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'events'").get() === undefined) return undefined
  const row = db.prepare('SELECT at FROM events ORDER BY id DESC LIMIT 1').get()
  return row === undefined ? undefined : Number(row['at'])
}

/** The byte of the header that is 2 in WAL mode (https://sqlite.org/fileformat.html). */
const modeByte = 18

// SQLite does not tell the mode of a database that it opened as unchanging.
function unsafeMode(path: string): string[] {
  const file = openSync(path, 'r')
  const byte = Buffer.alloc(1)
  readSync(file, byte, 0, 1, modeByte)
  closeSync(file)
  // The service sets it at every start, so another program has changed it, and may have the file open.
  return byte[0] === 2 ? [] : ['It is not in WAL mode: another program has changed that. End that program.']
}

/** Types of file systems, as Linux numbers them, on which a database is not safe. */
const unsafeDisks: Record<number, string> = {
  0x6969: 'NFS, where locks and the write-ahead log do not work reliably',
  0x517b: 'SMB, where locks and the write-ahead log do not work reliably',
  0xff534d42: 'SMB, where locks and the write-ahead log do not work reliably',
  0xfe534d42: 'SMB, where locks and the write-ahead log do not work reliably',
  0x01021994: 'tmpfs, whose files are lost when the machine restarts',
}

function unsafeDisk(path: string): string[] {
  const kind = process.platform === 'linux' ? unsafeDisks[statfsSync(path).type] : undefined
  return kind === undefined ? [] : [`It is on ${kind}: move it to a local disk.`]
}
