import type { DatabaseSync } from 'node:sqlite'
import type { EngineOptions } from '../shared/ports/open-options.ts'
import { defaultBudget } from '../shared/reads/find-by-name.ts'
import { composeStorage, type SqliteStorage } from './compose-storage.ts'
import { refuseMissing } from './connection/create-file.ts'
import { openForInspection, prepareConnection, watchReads } from './connection/database.ts'
import { watchHealth } from './connection/health.ts'
import { heldStates } from './reads/held-states.ts'
import { inlineSearcher } from './reads/searcher.ts'
import { readNow } from './reads/shared-snapshot.ts'
import { latestSchema } from './schema/migrate.ts'
import { refuseUnusable } from './schema/refuse-unusable.ts'
import { type Committer, sqliteWriter } from './writes/writer.ts'

type ReadOnlyOptions = Pick<EngineOptions, 'clock' | 'environment' | 'searchBudget'>

/** A database that is only read, on the event loop: for a command. A backup may be in a folder that nobody may write. */
export function openReadOnly(path: string, options: ReadOnlyOptions): SqliteStorage {
  const { clock, environment, searchBudget = defaultBudget } = options
  refuseMissing(path, ': petstore serve makes it')
  const health = watchHealth(path)
  function open(): DatabaseSync {
    const db = openForInspection(path)
    watchReads(db, { health, schema: latestSchema() })
    return db
  }
  const reader = prepareConnection(open(), path, (db) => refuseUnusable(db, path, environment))
  const { hold, close } = heldStates(open)
  const committer: Committer = {
    commit: async (group) =>
      group.map(() => ({ failure: { message: 'The database is only read.', unavailable: true } })),
    async close() {
      await close()
      reader.close()
    },
  }
  return composeStorage({
    path,
    reader,
    writer: sqliteWriter(committer, { health }),
    searcher: inlineSearcher(reader, searchBudget),
    searchBudget,
    readAtEndOfTick: readNow,
    hold,
    health,
    clock,
    // Unknown: nothing is cached.
    version: () => Number.NaN,
    async check() {},
  })
}
