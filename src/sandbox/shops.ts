import { PetStoreError } from '../inventory/errors.ts'
import { expiresAfterMs, replaceableAfterMs, maxTotalBytes } from './limits.ts'
import type { Shop } from './shop.ts'

export interface ShopsOptions {
  open: (name: string, refuseGrowth: (bytes: number) => string | undefined) => Shop
  /** In milliseconds, from any moment. */
  now: () => number
  maxShops: number
}

interface Entry {
  shop: Shop
  lastUsedAt: number
}

/** All shops of the sandbox. */
export function shopRegistry({ open, now, maxShops }: ShopsOptions) {
  const entries = new Map<string, Entry>()

  /** For how long nobody has used a shop. */
  function unusedMs(entry: Entry): number {
    if (entry.shop.isInUse) entry.lastUsedAt = now()
    return now() - entry.lastUsedAt
  }

  function remove({ shop }: Entry): void {
    entries.delete(shop.name)
    shop.close()
  }

  function refuseGrowth(bytes: number): string | undefined {
    if (bytes <= 0) return undefined
    let total = bytes
    for (const { shop } of entries.values()) total += shop.bytes
    return total > maxTotalBytes ? 'All shops of this sandbox together have 1 GiB, the maximum.' : undefined
  }

  /** Removes the shop that was unused for longest, or refuses. */
  function makeRoom(): void {
    let oldest: Entry | undefined
    for (const entry of entries.values()) if (oldest === undefined || unusedMs(entry) > unusedMs(oldest)) oldest = entry
    const waitMs = oldest === undefined ? 0 : replaceableAfterMs - unusedMs(oldest)
    if (oldest !== undefined && waitMs <= 0) return remove(oldest)
    throw new PetStoreError('unavailable', `${maxShops} shops are in use, the maximum; try again.`, {
      retryAfterSeconds: Math.ceil(waitMs / 1000),
    })
  }

  return {
    /** The shop of this name. Made if nobody has used it yet. */
    get(name: string): Shop {
      let entry = entries.get(name)
      if (entry === undefined) {
        if (entries.size >= maxShops) makeRoom()
        entry = { shop: open(name, refuseGrowth), lastUsedAt: 0 }
        entries.set(name, entry)
      }
      entry.lastUsedAt = now()
      return entry.shop
    },

    /** The shop in which a key or an invitation of this hash was made; of several with a copy of it, the one that is oldest. */
    withKey(hash: string): Shop | undefined {
      for (const entry of entries.values()) {
        if (!entry.shop.hasKey(hash)) continue
        entry.lastUsedAt = now()
        return entry.shop
      }
      return undefined
    },

    /** The shop of this name, if somebody has made it wrong. */
    withBugs(name: string): Shop | undefined {
      const shop = entries.get(name)?.shop
      return shop?.hasBugs === true ? shop : undefined
    },

    /** Removes shops that nobody uses any more, and does the periodic work of the others. */
    maintain(failed: (error: Error) => void): void {
      for (const entry of entries.values()) {
        if (unusedMs(entry) >= expiresAfterMs) remove(entry)
        else entry.shop.maintain().catch(failed)
      }
    },

    count: () => entries.size,

    /** Ends all shops, when the sandbox stops. */
    close(): void {
      for (const { shop } of entries.values()) shop.close()
    },
  }
}
