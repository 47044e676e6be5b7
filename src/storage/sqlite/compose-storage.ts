import type { DatabaseSync } from 'node:sqlite'
import type { Clock } from '../../inventory/clock.ts'
import { unavailable } from '../../inventory/errors.ts'
import type { ShopState, Storage } from '../../inventory/storage.ts'
import type { WriterStats } from '../../inventory/storage-stats.ts'
import type { Engine } from '../shared/ports/engine.ts'
import { categoriesPort } from '../shared/ports/categories.ts'
import { importHistory } from '../shared/ports/import-history.ts'
import { invitationsPort } from '../shared/ports/invitations.ts'
import { resourcePorts } from '../shared/ports/resource-ports.ts'
import { webhooksPort } from '../shared/ports/webhooks.ts'
import type { SearchBudget } from '../shared/reads/find-by-name.ts'
import { listAtOneState, withImported } from '../shared/ports/list-imported.ts'
import { holdWithin } from '../shared/reads/sized-read.ts'
import type { ThreadRelay } from '../shared/writes/relay.ts'
import type { FileIds } from './connection/database-files.ts'
import type { Health } from './connection/health.ts'
import { measure } from './measure.ts'
import { sqliteDays } from './ports/days.ts'
import { sqliteDeliveries } from './ports/deliveries.ts'
import { sqliteEvents } from './ports/events.ts'
import { sqliteImports } from './ports/imports.ts'
import { sqliteKeys } from './ports/keys.ts'
import { sqlitePetReads, sqlitePets } from './ports/pets.ts'
import { heldResources, sqliteResources } from './reads/resources.ts'
import type { HoldState } from './reads/held-states.ts'
import { inlineSearcher, type Searcher } from './reads/searcher.ts'
import { type ReadAtEndOfTick, readNow } from './reads/shared-snapshot.ts'
import type { Writer } from './writes/writer.ts'
import type { WriteRequest } from './writes/writes.ts'

export interface SqliteStorage extends Storage {
  /** Commits groups of writes for other processes and threads with the same database. */
  readonly relay: ThreadRelay
}

export interface StorageParts {
  path: string
  reader: DatabaseSync
  writer: Writer
  /** Default: those of `writer`. */
  writerStats?: () => WriterStats
  searcher: Searcher
  searchBudget: SearchBudget
  readAtEndOfTick: ReadAtEndOfTick
  hold: HoldState
  health: Health
  clock: Clock
  version: () => number
  /** Those of the writing process. */
  files?: FileIds
  /** As in `ThreadRelay`. By default there is no thread that writes. */
  connect?: ThreadRelay['connect']
  /** Rejects if nothing can be written. */
  check(): Promise<void>
}

async function refuseThread(): Promise<never> {
  throw new Error('no thread writes this database')
}

/** Puts the ports together, whatever writes for them. */
export function composeStorage({
  reader,
  writer,
  searcher,
  searchBudget,
  readAtEndOfTick,
  hold,
  health,
  clock,
  version,
  ...parts
}: StorageParts): SqliteStorage {
  const { path, files = [], writerStats = writer.stats, connect = refuseThread, check: checkWriting } = parts
  const keys = sqliteKeys(reader, writer)
  const writing = { write: writer.write as Engine['write'], clock, searchBudget }
  const engine = { ...sqliteResources(reader, readAtEndOfTick, hold), ...writing }
  const states = new WeakMap<DatabaseSync, ShopState>()

  /** The ports on a connection that holds a state. */
  function stateOn(db: DatabaseSync): ShopState {
    const known = states.get(db)
    if (known !== undefined) return known
    const held: HoldState = (read) => read(db)
    const parts = { reader: db, searcher: inlineSearcher(db, searchBudget), readAtEndOfTick: readNow, hold: held }
    const reads = sqlitePetReads(parts)
    const resources = heldResources(db)
    const state = {
      pets: { ...reads, list: withImported({ list: reads.list, resources }) },
      categories: categoriesPort({ ...resources, ...writing }),
    }
    states.set(db, state)
    return state
  }
  let closed = false

  async function check(): Promise<void> {
    if (closed) throw unavailable('The storage is closed.')
    await keys.find('') // Any read.
    searcher.check()
    await checkWriting()
  }

  const atOneState: Storage['atOneState'] = (read, caller) =>
    holdWithin(caller, (inState, isNext) => hold((db) => read(stateOn(db), inState), caller, isNext))
  const ownPets = sqlitePets({ reader, writer, clock, searcher, readAtEndOfTick, hold })
  const pets = { ...ownPets, list: listAtOneState(ownPets.list, atOneState) }

  return {
    pets,
    ...resourcePorts(engine),
    webhooks: webhooksPort(engine),
    invitations: invitationsPort(engine, {
      endAll: () => writer.write('endInvitations', { now: clock() }),
      forget: () => writer.write('forgetInvitations', { now: clock() }),
    }),
    events: sqliteEvents(reader, writer, hold),
    days: sqliteDays(reader),
    keys,
    imports: { ...sqliteImports(reader, writer, clock), ...importHistory(engine, pets.list) },
    deliveries: sqliteDeliveries(reader, writer),
    atOneState,
    version,
    relay: {
      commit: (group) => Promise.all((group as WriteRequest[]).map((request) => writer.perform(request))),
      check,
      files: async () => files,
      foundDamage: async (message) => health.foundDamage(message),
      async connect(port) {
        if (health.damage !== undefined) throw new Error(health.damage)
        await connect(port)
      },
    },
    check,
    deleteExpiredResponses: () => writer.write('deleteExpiredResponses', { now: clock() }),
    stats: () => ({ writer: writerStats(), sessions: [], pendingReads: 0 }),
    size: () => measure(path),
    async close() {
      if (closed) return
      closed = true
      await writer.close()
    },
  }
}
