import type { DeliveryStorage } from '../shared/ports/delivery-storage.ts'
import { enabledEndpoints } from '../shared/ports/webhooks.ts'
import { openReconnectingSession } from './connection/reconnecting-session.ts'
import { readServer } from './connection/server.ts'
import { postgresDeliveries } from './ports/deliveries.ts'
import { postgresEventReads } from './ports/events.ts'
import { openReaders, sessionStats } from './reads/readers.ts'
import { postgresResources } from './reads/resources.ts'
import { defaultWriteTimeoutMs } from './writes/writer.ts'

/** Two connections of this thread, each opened when it is needed: deliveries read one thing after the other. */
export function openPostgresForDeliveries(url: string): DeliveryStorage {
  const server = readServer(url)
  const readers = openReaders(server, { connectionCount: 1 })
  const link = openReconnectingSession(server, { timeoutMs: defaultWriteTimeoutMs })
  const resources = postgresResources(readers)
  return {
    version: () => Number.NaN,
    events: postgresEventReads(readers),
    webhooks: { enabled: () => enabledEndpoints(resources) },
    deliveries: postgresDeliveries(readers, link),
    sessions: () => [
      { role: 'writer', ...sessionStats([link]) },
      { role: 'reader', ...readers.stats().sessions },
    ],
    async close() {
      await Promise.all([readers.close(), link.close()])
    },
  }
}
