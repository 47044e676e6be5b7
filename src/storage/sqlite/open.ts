import type { DatabaseSync } from 'node:sqlite'
import { unavailable } from '../../inventory/errors.ts'
import type { Clock, Storage } from '../../inventory/storage.ts'
import { openForReading, openForWriting, prepareRows } from './database.ts'
import { sqliteKeys } from './keys.ts'
import { migrate } from './migrate.ts'
import { sqlitePets } from './pets.ts'
import { inlineWriter, threadWriter, type Writer } from './writer.ts'

/** The embedded engine: one file, one writer thread, reads on the event loop. */
export async function openSqlite(path: string, clock: Clock): Promise<Storage> {
  return path === ':memory:' ? openInMemory(clock) : openFile(path, clock)
}

async function openFile(path: string, clock: Clock): Promise<Storage> {
  const setup = openForWriting(path)
  try {
    migrate(setup, path)
  } finally {
    setup.close()
  }
  const writer = await threadWriter(path)
  const reader = openForReading(path)
  // Changes with every commit of another connection. This one never writes, so that is every commit.
  const dataVersion = reader.prepare('PRAGMA data_version')
  dataVersion.setReturnArrays(true)
  return storage(reader, writer, clock, () => (dataVersion.get() as unknown as [number])[0])
}

async function openInMemory(clock: Clock): Promise<Storage> {
  const db = openForWriting(':memory:')
  migrate(db, ':memory:')
  let commits = 0
  const writer = inlineWriter(db, () => commits++)
  return storage(db, writer, clock, () => commits)
}

function storage(reader: DatabaseSync, writer: Writer, clock: Clock, version: () => number): Storage {
  const ping = prepareRows(reader, 'SELECT 1')
  return {
    pets: sqlitePets(reader, writer, clock),
    keys: sqliteKeys(reader, writer),
    version,
    async check() {
      if (!reader.isOpen) throw unavailable('The storage is closed.')
      ping.get()
      writer.check()
    },
    async close() {
      // The writer last: whoever closes last and may write tidies the log away. In memory both are one connection.
      if (reader.isOpen) reader.close()
      await writer.close()
    },
  }
}
