import type { Deliveries } from '../inventory/deliveries.ts'
import type { Events } from '../inventory/events.ts'
import type { Storage } from '../inventory/storage.ts'
import type { Webhooks } from '../inventory/webhooks.ts'

/** The part of a storage that deliveries need. A thread that delivers opens nothing else. */
export interface DispatcherStorage extends Pick<Storage, 'version'> {
  events: Pick<Events, 'list' | 'latest'>
  webhooks: Pick<Webhooks, 'enabled' | 'disable'>
  deliveries: Pick<Deliveries, 'acquire' | 'renew' | 'release' | 'record' | 'positions' | 'forget'>
}
