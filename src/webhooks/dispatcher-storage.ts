import type { Deliveries } from '../inventory/deliveries.ts'
import type { Events } from '../inventory/events.ts'
import type { Storage } from '../inventory/storage.ts'
import type { Webhooks } from '../inventory/webhooks.ts'

/** What deliveries call of each port. A thread without a storage of its own may call nothing else of one. */
export const dispatcherCalls = {
  events: ['list', 'latest'],
  webhooks: ['enabled', 'disable'],
  deliveries: ['acquire', 'renew', 'release', 'record', 'positions', 'forget'],
} as const
type CallOf<Port extends keyof typeof dispatcherCalls> = (typeof dispatcherCalls)[Port][number]

/** The part of a storage that deliveries need. */
export interface DispatcherStorage extends Pick<Storage, 'version'> {
  events: Pick<Events, CallOf<'events'>>
  webhooks: Pick<Webhooks, CallOf<'webhooks'>>
  deliveries: Pick<Deliveries, CallOf<'deliveries'>>
}
