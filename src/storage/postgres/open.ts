import { unavailable } from '../../inventory/errors.ts'
import type { Storage } from '../../inventory/storage.ts'
import { refuseOtherEnvironment } from '../shared/environment.ts'
import { StorageError } from '../shared/errors.ts'
import { categoriesPort } from '../shared/ports/categories.ts'
import type { EngineOptions } from '../shared/ports/open-options.ts'
import { resourcePorts } from '../shared/ports/resource-ports.ts'
import { importHistory } from '../shared/ports/import-history.ts'
import { invitationsPort } from '../shared/ports/invitations.ts'
import { webhooksPort } from '../shared/ports/webhooks.ts'
import { listAtOneState, withImported } from '../shared/ports/list-imported.ts'
import { holdWithin } from '../shared/reads/sized-read.ts'
import { connectAtStart } from './connection/connect.ts'
import { explain, isTransient } from './connection/errors.ts'
import { type Lineages, openLineages } from './writes/begin-lineage.ts'
import { claimForEnvironment, environmentOf } from './schema/environment.ts'
import { postgresDays } from './ports/days.ts'
import { postgresDeliveries } from './ports/deliveries.ts'
import { postgresEvents } from './ports/events.ts'
import { postgresImports } from './ports/imports.ts'
import { postgresKeys } from './ports/keys.ts'
import { openReconnectingSession } from './connection/reconnecting-session.ts'
import { measure } from './measure.ts'
import { migrate, refuseUnmigrated } from './schema/migrate.ts'
import { petReads, postgresPets } from './ports/pets.ts'
import { withOutcomes } from '../shared/writes/writer-stats.ts'
import { openReaders, sessionStats } from './reads/readers.ts'
import type { StateReads } from './reads/read.ts'
import { postgresResources } from './reads/resources.ts'
import { openReplicas } from './reads/replicas.ts'
import { refuseOtherEncoding } from './connection/encoding-check.ts'
import { readServer } from './connection/server.ts'
import { openImportWriter } from './writes/import-writes.ts'
import { refuseUnfinishedCopy } from './schema/unfinished-copy.ts'
import { refuseReadOnly } from './writes/refuse-read-only.ts'
import { defaultWriteTimeoutMs, postgresWriter, writerSettings } from './writes/writer.ts'

const defaultMaxLagMs = 10_000

/** The engine on a server, shared by any number of instances. */
export async function openPostgres(url: string, options: EngineOptions): Promise<Storage> {
  const { clock, readUrl, maxLagMs = defaultMaxLagMs, environment, report, migrated } = options
  const {
    create = true,
    readOnly = false,
    searchBudget,
    readTimeoutMs,
    writeTimeoutMs = defaultWriteTimeoutMs,
  } = options
  const primary = readServer(url)
  const replica = readUrl === undefined ? undefined : readServer(readUrl, 'replica')
  const session = await connectAtStart(primary, { settings: writerSettings })
  let lineages: Lineages
  try {
    await refuseOtherEncoding(session, primary)
    await refuseUnfinishedCopy(session, primary.shown)
    refuseOtherEnvironment(primary.shown, await environmentOf(session), environment)
    if (!create || readOnly) await refuseUnmigrated(session, primary.shown)
    if (!readOnly) {
      const applied = await migrate(session, primary, { waits: (sentence) => report?.(sentence) })
      migrated?.(applied)
      await refuseReadOnly(session, primary)
      if (environment !== undefined) await claimForEnvironment(session, primary.shown, environment)
    }
    lineages = await openLineages(session, primary)
  } catch (error) {
    session.drop('The database was refused.')
    throw error instanceof StorageError ? error : explain(primary, error)
  }
  const link = openReconnectingSession(primary, {
    timeoutMs: writeTimeoutMs,
    settings: writerSettings,
    session,
  })
  const writer = postgresWriter(link, lineages, writeTimeoutMs)
  const readers = openReaders(primary, { timeoutMs: readTimeoutMs })
  const replicated = replica === undefined ? undefined : openReplicas(replica, readers, { maxLagMs, report })
  const replicas = replicated ?? readers
  const deliveryLink = openReconnectingSession(primary, { timeoutMs: writeTimeoutMs })
  const importWriter = openImportWriter(primary, lineages, clock)
  const primaryEngine = { ...postgresResources(readers), write: writer.write, clock }
  let closed = false

  /** The state of the primary, or of a replica. */
  function stateOf(source: typeof replicas): Storage['atOneState'] {
    return (read, caller) =>
      holdWithin(caller, (inState, isNext) => {
        const readState = (state: StateReads) => {
          const reads = petReads(state, searchBudget)
          const resources = postgresResources(state)
          const pets = { ...reads, list: withImported({ list: reads.list, resources }) }
          return read(
            { pets, categories: categoriesPort({ ...resources, write: writer.write, clock, searchBudget }) },
            inState,
          )
        }
        return source.countPending(() => source.hold(readState, caller, isNext))
      })
  }

  const atOneState = stateOf(replicas)
  const pets = postgresPets(replicas, readers, writer, clock, searchBudget)

  return {
    pets: { ...pets, list: listAtOneState(pets.list, atOneState) },
    ...resourcePorts({ ...postgresResources(replicas), write: writer.write, clock, searchBudget }),
    // Not from replicas: those who deliver must not send to an address that was disabled.
    webhooks: webhooksPort(primaryEngine),
    // Not from replicas: a new invitation works at once.
    invitations: invitationsPort(primaryEngine, {
      endAll: () => writer.write('endInvitations', { now: clock() }),
      forget: () => writer.write('forgetInvitations', { now: clock() }),
    }),
    events: postgresEvents(readers, writer),
    days: postgresDays(replicas),
    keys: postgresKeys(readers, writer),
    imports: {
      ...postgresImports(readers, writer, importWriter, clock),
      // Not from replicas: one may lack the animals of an import.
      ...importHistory(primaryEngine, listAtOneState(pets.list, stateOf(readers))),
    },
    deliveries: postgresDeliveries(readers, deliveryLink),
    atOneState,
    // A version number would cost a round trip with every request.
    version: () => Number.NaN,
    async check() {
      if (closed) throw unavailable('The storage is closed.')
      try {
        await Promise.all([writer.check(), readers.read({ text: 'SELECT 1' })])
      } catch (error) {
        throw isTransient(error) ? unavailable('The database does not answer.', error) : error
      }
    },
    deleteExpiredResponses: () => writer.write('deleteExpiredResponses', { now: clock() }),
    stats() {
      const { sessions, pending } = readers.stats()
      const ofReplicas = replicated?.stats()
      return {
        writer: withOutcomes(writer.stats(), [importWriter.outcomes()]),
        sessions: [
          { role: 'writer', ...sessionStats([link, deliveryLink]) },
          { role: 'reader', ...sessions },
          ...(ofReplicas === undefined ? [] : [{ role: 'replica' as const, ...ofReplicas.sessions }]),
        ],
        pendingReads: pending + (ofReplicas?.pending ?? 0),
        replica: replicated?.lag(),
      }
    },
    size: () => measure(readers),
    async close() {
      if (closed) return
      closed = true
      await writer.close()
      await Promise.all([readers.close(), replicas.close(), importWriter.close(), deliveryLink.close()])
    },
  }
}
