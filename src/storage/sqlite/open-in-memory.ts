import type { DatabaseSync } from 'node:sqlite'
import type { EngineOptions } from '../shared/ports/open-options.ts'
import { defaultBudget } from '../shared/reads/find-by-name.ts'
import { composeStorage, type SqliteStorage } from './compose-storage.ts'
import { configureForWriting, connect, prepareOneRow } from './connection/database.ts'
import { watchHealth } from './connection/health.ts'
import { pausedWrites } from './reads/held-states.ts'
import { inlineSearcher } from './reads/searcher.ts'
import { readNow } from './reads/shared-snapshot.ts'
import { changesVersion } from './reads/version.ts'
import { migrate } from './schema/migrate.ts'
import { beginLineageOfCopy, type NameLineage } from './writes/begin-lineage.ts'
import { inlineCommitter } from './writes/commit-targets.ts'
import { sqliteWriter } from './writes/writer.ts'

interface MemoryOptions extends Pick<EngineOptions, 'clock' | 'searchBudget'> {
  /** What the database begins with, from `makeImage`. */
  image?: Uint8Array | undefined
  /** Names the lineage of the events that follow the image. Default: at random. */
  nameLineage?: NameLineage | undefined
  /** Sees the size that a commit would lead to. Returns why it is refused, for the client. */
  refuseSize?: ((size: MeasuredSize) => string | undefined) | undefined
}

export interface MemorySize {
  pets: number
  events: number
  /** The pages in use. */
  bytes: number
}

export interface MeasuredSize extends MemorySize {
  /** All pages, also free ones: what was deleted makes room in the database, not in the memory. */
  allocatedBytes: number
}

export interface MemoryStorage extends SqliteStorage {
  /** The whole database, as bytes. */
  image(): Uint8Array
  /** Whether a key or an invitation has this hash. */
  hasCredential(hash: string): boolean
  /** For what no port does. */
  readonly db: DatabaseSync
}

/** A database that ends with the process. It is read and written on the event loop, so it should be small. */
export function openInMemory(options: MemoryOptions): MemoryStorage {
  const { clock, searchBudget = defaultBudget, image, nameLineage, refuseSize } = options
  const db = connect(':memory:', { timeout: 0 })
  if (image !== undefined) db.deserialize(image)
  configureForWriting(db, ':memory:')
  if (image === undefined) migrate(db, ':memory:')
  // No position of another database with the same image is valid here.
  else beginLineageOfCopy(db, nameLineage)
  const health = watchHealth(':memory:')
  const sizeOf = refuseSize && measuring(db)
  const refuse = sizeOf && (() => refuseSize(sizeOf()))
  const committer = inlineCommitter(db, { hasLineage: image !== undefined, refuse })
  const { hold, commitWith } = pausedWrites(db)
  const writer = sqliteWriter({ ...committer, commit: commitWith(committer) }, { health })
  const storage = composeStorage({
    path: ':memory:',
    reader: db,
    writer,
    searcher: inlineSearcher(db, searchBudget),
    hold,
    searchBudget,
    readAtEndOfTick: readNow,
    health,
    clock,
    version: changesVersion(db),
    async check() {},
  })
  const invitation = db.prepare('SELECT 1 FROM invitations WHERE hash = ?')
  return {
    ...storage,
    image: () => db.serialize(),
    hasCredential: (hash) => storage.keys.recall(hash) !== undefined || invitation.get(hash) !== undefined,
    db,
  }
}

/** Event ids have no gaps, so that the number of events need not be counted. */
function measuring(db: DatabaseSync): () => MeasuredSize {
  const measure = prepareOneRow<[pets: bigint, events: bigint, bytes: bigint, allocatedBytes: bigint]>(
    db,
    `SELECT available + pending + sold + none,
        ifnull((SELECT max(id) FROM events) - (SELECT min(id) FROM events) + 1, 0),
        (page_count - freelist_count) * page_size, page_count * page_size
      FROM pet_totals, pragma_page_count, pragma_freelist_count, pragma_page_size`,
  )
  return () => {
    const [pets, events, bytes, allocatedBytes] = measure.get()
    return {
      pets: Number(pets),
      events: Number(events),
      bytes: Number(bytes),
      allocatedBytes: Number(allocatedBytes),
    }
  }
}
