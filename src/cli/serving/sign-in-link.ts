import { randomBytes } from 'node:crypto'
import { keyHash } from '../../inventory/key-secret.ts'
import type { Clock } from '../../inventory/clock.ts'

export interface SignInLink {
  /** A code that stands for this key, once, for a quarter of an hour: one for each link. */
  offer(key: string): string
  /** The key behind a code, once; undefined for a code that was used, is too old or was never given. */
  redeem(code: string): Promise<string | undefined>
}

const lifetime = 15 * 60_000

/**
 * The first key's secret stays in memory, and only here, in the first process, until its links are used or too old: the storage
 * has no more than its hash. A code is 144 random bits, so nobody guesses one in its lifetime.
 */
export function signInLink(clock: Clock = Date.now): SignInLink {
  const open = new Map<string, { key: string; until: number }>()

  return {
    offer(key) {
      const code = randomBytes(18).toString('base64url')
      const hash = keyHash(code)
      open.set(hash, { key, until: clock() + lifetime })
      setTimeout(() => open.delete(hash), lifetime).unref()
      return code
    },

    async redeem(code) {
      const hash = keyHash(code)
      const offered = open.get(hash)
      open.delete(hash)
      return offered === undefined || clock() >= offered.until ? undefined : offered.key
    },
  }
}
