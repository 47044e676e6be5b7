import { tryRetentionMs } from './deliveries.ts'
import { forgetEvents } from './forget-events.ts'
import type { Storage } from './storage.ts'

/**
 * Deletes some of the rows that are too old, and resolves to their number: few enough that other writes run in between.
 * `now` is the time of the shop, `realNow` that of the machine.
 */
type DeleteSome = (now: number, realNow: number) => Promise<number>

/** What of a storage is deleted when it is too old, each kind until there is nothing left to delete. */
export function deletionsOf(
  storage: Pick<Storage, 'events' | 'webhooks' | 'invitations' | 'imports' | 'deliveries' | 'deleteExpiredResponses'>,
  eventRetentionMs: number,
): readonly DeleteSome[] {
  return [
    (now) => forgetEvents(storage, eventRetentionMs, now),
    (_now, realNow) => storage.deliveries.forgetOld(realNow - tryRetentionMs),
    () => storage.invitations.forget(),
    () => storage.imports.forget(),
    () => storage.deleteExpiredResponses(),
  ]
}
