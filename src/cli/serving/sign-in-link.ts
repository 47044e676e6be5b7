import { randomBytes } from 'node:crypto'
import { keyHash } from '../../inventory/key-secret.ts'
import type { Clock } from '../../inventory/storage.ts'

export interface SignInLink {
  /** A code that stands for this key, for a quarter of an hour. Takes the place of an earlier one. */
  offer(key: string): string
  /** The key behind a code, once; undefined for a code that was used, is too old or was never given. */
  redeem(code: string): Promise<string | undefined>
}

const lifetime = 15 * 60_000

/**
 * The first key's secret stays in memory, and only here, in the first process, until its link is used or too old: the storage
 * has no more than its hash. A code is 144 random bits, so nobody guesses one in its lifetime.
 */
export function signInLink(clock: Clock = Date.now): SignInLink {
  let open: { hash: string; key: string; until: number } | undefined

  return {
    offer(key) {
      const code = randomBytes(18).toString('base64url')
      const offered = { hash: keyHash(code), key, until: clock() + lifetime }
      open = offered
      setTimeout(() => {
        if (open === offered) open = undefined
      }, lifetime).unref()
      return code
    },

    async redeem(code) {
      if (open === undefined || clock() >= open.until || keyHash(code) !== open.hash) return undefined
      const { key } = open
      open = undefined
      return key
    },
  }
}
