import type { Deliveries } from '../../../inventory/deliveries.ts'
import type { Events } from '../../../inventory/events.ts'
import type { SessionStats } from '../../../inventory/storage-stats.ts'
import type { Storage } from '../../../inventory/storage.ts'
import type { Webhooks } from '../../../inventory/webhooks.ts'

/** What a thread that delivers opens for itself. */
export interface DeliveryStorage extends Pick<Storage, 'version' | 'close'> {
  events: Pick<Events, 'list' | 'latest'>
  webhooks: Pick<Webhooks, 'enabled'>
  deliveries: Deliveries
  /** Its connections to a server. */
  sessions(): SessionStats[]
}
