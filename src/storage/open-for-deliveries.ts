import type { DeliveryStorage } from './shared/ports/delivery-storage.ts'
import { readDatabaseUrl } from './shared/url.ts'
import type { ThreadRelay } from './shared/writes/relay.ts'

/**
 * Opens a database for a thread that delivers events, beside the storage that this process has opened. `relay` leads to
 * that storage, if it is a file.
 */
export async function openForDeliveries(
  url: string,
  relay: Pick<ThreadRelay, 'files' | 'foundDamage' | 'connect'>,
): Promise<DeliveryStorage> {
  const database = readDatabaseUrl(url)
  if (database.engine === 'postgres') {
    const { openPostgresForDeliveries } = await import('./postgres/open-for-deliveries.ts')
    return openPostgresForDeliveries(database.url)
  }
  const { openSqliteForDeliveries } = await import('./sqlite/open-for-deliveries.ts')
  return openSqliteForDeliveries(database.path, relay)
}
