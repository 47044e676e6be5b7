import { randomBytes } from 'node:crypto'
import { keyHash } from '../../inventory/key-secret.ts'
import type { Clock } from '../../inventory/clock.ts'

export interface SignInLink {
  /** A one-time code for this key, valid for 15 minutes: one per link. */
  issueLink(key: string): string
  /** The key of a code, once; undefined for a used, expired or unknown code. */
  redeem(code: string): Promise<string | undefined>
}

const lifetimeMs = 15 * 60_000

/**
 * The secret of the first key stays in the memory of the first process until its links are used or expired: the storage
 * has only its hash. A code has 144 random bits and cannot be guessed in its lifetime.
 */
export function signInLink(clock: Clock = Date.now): SignInLink {
  const open = new Map<string, { key: string; until: number }>()

  return {
    issueLink(key) {
      const code = randomBytes(18).toString('base64url')
      const hash = keyHash(code)
      open.set(hash, { key, until: clock() + lifetimeMs })
      setTimeout(() => open.delete(hash), lifetimeMs).unref()
      return code
    },

    async redeem(code) {
      const hash = keyHash(code)
      const issued = open.get(hash)
      open.delete(hash)
      return issued === undefined || clock() >= issued.until ? undefined : issued.key
    },
  }
}
