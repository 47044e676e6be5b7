import type { DeliveryStorage } from '../shared/ports/delivery-storage.ts'
import { enabledEndpoints } from '../shared/ports/webhooks.ts'
import type { ThreadRelay } from '../shared/writes/relay.ts'
import type { FileIds } from './connection/database-files.ts'
import { watchHealth } from './connection/health.ts'
import { sqliteDeliveries } from './ports/deliveries.ts'
import { sqliteEvents } from './ports/events.ts'
import { openReader } from './reads/open-reader.ts'
import { heldResources } from './reads/resources.ts'
import { fileVersion } from './reads/version.ts'
import { portCommitter } from './writes/commit-targets.ts'
import { defaultWriteTimeoutMs, sqliteWriter } from './writes/writer.ts'

/** Each read sees what was committed when it began: nothing holds a state. */
const snapshot = { begin() {} }

/** A connection of this thread to the files of the process. It writes through a port of the writer thread. */
export async function openSqliteForDeliveries(
  path: string,
  relay: Pick<ThreadRelay, 'files' | 'foundDamage' | 'connect'>,
): Promise<DeliveryStorage> {
  const health = watchHealth(path, { damaged: (message) => void relay.foundDamage(message).catch(() => undefined) })
  const reader = openReader(path, { health, files: (await relay.files()) as FileIds })
  // For the latest events, in KiB.
  reader.exec('PRAGMA cache_size = -2048')
  const writer = sqliteWriter(portCommitter(relay.connect), { health, timeoutMs: defaultWriteTimeoutMs })
  const resources = heldResources(reader)
  return {
    version: fileVersion(reader, snapshot, health),
    events: sqliteEvents(reader, writer, (read) => read(reader)),
    webhooks: { enabled: () => enabledEndpoints(resources) },
    // The process has asked for the lease: its threads need not.
    deliveries: sqliteDeliveries(reader, writer, false),
    sessions: () => [],
    async close() {
      await writer.close()
      reader.close()
    },
  }
}
