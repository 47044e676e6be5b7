import type { MemorySize } from '../storage/sqlite/open-in-memory.ts'

/** What one shop may have: it is read and written on the event loop that all shops share. */
export const shopLimits: Readonly<MemorySize> = { pets: 10_000, events: 10_000, bytes: 16 * 1024 * 1024 }

/** What a row counts at least: a file of many small ones must not fill the memory. */
export const minRowBytes = 64

export const maxShops = 200
/** A shop that was unused for this long makes room for another one. */
export const replaceableAfterMs = 10 * 60_000
/** A shop that was unused for this long is removed. */
export const expiresAfterMs = 60 * 60_000
/** Tries of webhooks that run at once in one shop: 200 shops may have endpoints that hang. */
export const shopDeliveryLimits = { young: 12, failing: 6, total: 20 }
/** Tests and repetitions of webhooks that run at once in all shops together. */
export const maxDeliveriesOfAllShops = 50
/** What all shops may have together. */
export const maxTotalBytes = 1024 * 1024 * 1024

/** Why a shop must not become as large as this; undefined if it may. */
export function refusalOfSize({ pets, events, bytes }: MemorySize): string | undefined {
  const over = [
    pets > shopLimits.pets && '10,000 animals',
    events > shopLimits.events && '10,000 events',
    bytes > shopLimits.bytes && '16 MiB',
  ].find((limit) => limit !== false)
  return over && `A shop of the sandbox may have at most ${over}: reset it, or use another one.`
}
