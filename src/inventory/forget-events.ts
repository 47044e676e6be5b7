import type { Storage } from './storage.ts'

/** How much longer events are kept that an enabled webhook has not got: as long as it is tried. */
const webhookGraceMs = 3 * 24 * 60 * 60_000

/**
 * Deletes events that are older than `retentionMs`, a limited number at a time; resolves to their number. Those that an
 * enabled webhook still needs are kept for three more days.
 */
export async function forgetEvents(
  { events, webhooks, deliveries }: Pick<Storage, 'events' | 'webhooks' | 'deliveries'>,
  retentionMs: number,
  now: number,
): Promise<number> {
  const before = now - retentionMs
  const endpoints = await webhooks.enabled()
  if (endpoints.length === 0) return events.forget(before, now)
  const stored = new Map((await deliveries.positions()).map(({ webhookId, eventId }) => [webhookId, eventId]))
  const positions = endpoints.map(({ id, startsAfter }) => {
    const position = stored.get(id) ?? 0n
    return position > startsAfter ? position : startsAfter
  })
  const upTo = positions.reduce((lowest, position) => (position < lowest ? position : lowest))
  return (await events.forget(before, now, upTo)) + (await events.forget(before - webhookGraceMs, now))
}
