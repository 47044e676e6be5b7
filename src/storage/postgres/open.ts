import type { Environment } from '../../contract/openapi.ts'
import { unavailable } from '../../inventory/errors.ts'
import type { Clock, Storage } from '../../inventory/storage.ts'
import { refuseOtherEnvironment } from '../shared/environment.ts'
import { StorageError } from '../shared/errors.ts'
import { connectAtStart } from './connect.ts'
import { explain, isTransient } from './errors.ts'
import { type Histories, openHistories } from './begin-history.ts'
import { postgresCategories } from './categories.ts'
import { claimForEnvironment, environmentOf } from './environment.ts'
import { postgresEvents } from './events.ts'
import { postgresImports } from './imports.ts'
import { postgresKeys } from './keys.ts'
import { openReconnectingSession } from './reconnecting-session.ts'
import { migrate } from './migrate.ts'
import { postgresOrders } from './orders.ts'
import { postgresPets } from './pets.ts'
import { openReaders, openReplicas } from './readers.ts'
import { refuseUnsafe } from './durability-check.ts'
import { readServer } from './server.ts'
import { openStaging } from './staging.ts'
import { refuseHalfCopied } from './unfinished-copy.ts'
import { postgresWriter, writerSettings, writeTimeoutMs } from './writer.ts'

/** The engine on a server, which any number of instances share. `readUrl` names replicas for lists and single animals. */
export async function openPostgres(
  url: string,
  clock: Clock,
  readUrl?: string,
  environment?: Environment,
): Promise<Storage> {
  const primary = readServer(url)
  const session = await connectAtStart(primary, { settings: writerSettings })
  let histories: Histories
  try {
    await refuseUnsafe(session, primary)
    await refuseHalfCopied(session, primary.shown)
    refuseOtherEnvironment(primary.shown, await environmentOf(session), environment)
    await migrate(session, primary.shown)
    if (environment !== undefined) await claimForEnvironment(session, primary.shown, environment)
    histories = await openHistories(session, primary)
  } catch (error) {
    session.drop('The database was refused.')
    throw error instanceof StorageError ? error : explain(primary, error)
  }
  const link = openReconnectingSession(primary, {
    timeoutMs: writeTimeoutMs,
    settings: writerSettings,
    session,
  })
  const writer = postgresWriter(link, histories)
  const readers = openReaders(primary)
  const replicas = readUrl === undefined ? readers : openReplicas(readServer(readUrl, 'replica'), readers)
  const staging = openStaging(primary, histories, clock)
  let closed = false

  return {
    pets: postgresPets(replicas, writer, clock),
    orders: postgresOrders(replicas, writer, clock),
    categories: postgresCategories(replicas, writer),
    events: postgresEvents(readers, writer),
    keys: postgresKeys(readers, writer),
    imports: postgresImports(readers, writer, staging),
    // A number that every commit changes would cost a round trip with every request.
    version: () => Number.NaN,
    async check() {
      if (closed) throw unavailable('The storage is closed.')
      try {
        await Promise.all([writer.check(), replicas.read({ text: 'SELECT 1' })])
      } catch (error) {
        throw isTransient(error) ? unavailable('The database does not answer.', error) : error
      }
    },
    async close() {
      if (closed) return
      closed = true
      await writer.close()
      await Promise.all([readers.close(), replicas.close(), staging.close()])
    },
  }
}
