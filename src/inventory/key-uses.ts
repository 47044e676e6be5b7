import type { ApiKey, Keys } from './keys.ts'

/** When keys were last used, until that is stored. */
export interface KeyUses {
  note(key: Pick<ApiKey, 'id'>, at: number): void
  store(): Promise<void>
}

/**
 * Stores it in the background: a write with every read would make reads as slow as writes. A crash loses the last few
 * seconds, which do not matter for a last-used time.
 */
export function collectKeyUses(keys: Pick<Keys, 'touch'>): KeyUses {
  let uses = new Map<string, number>()
  return {
    note: ({ id }, at) => void uses.set(id, at),
    async store() {
      if (uses.size === 0) return
      const noted = uses
      uses = new Map()
      await keys.touch(noted)
    },
  }
}
