import type { ApiKey, Keys } from '../../inventory/keys.ts'

export interface LastUsedTimes {
  note(key: ApiKey, at: number): void
  /** Writes down what was noted. */
  flush(): Promise<void>
}

/**
 * Remembers when keys were last used and writes that down in the background, now and then: a write with every read
 * would make reading as slow as writing. A crash forgets the last few seconds, which is all that a last-used time is for.
 */
export function lastUsedTimes(keys: Keys, report: (error: Error) => void): LastUsedTimes {
  let uses = new Map<string, number>()

  return {
    note(key, at) {
      uses.set(key.id, at)
    },
    async flush() {
      if (uses.size === 0) return
      const noted = uses
      uses = new Map()
      await keys.touch(noted).catch(report)
    },
  }
}
