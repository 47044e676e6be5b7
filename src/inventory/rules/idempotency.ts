import type { IdempotencyKey } from '../idempotency-key.ts'
import type { ResponseStored } from './change.ts'
import type { Facts } from './facts.ts'

/** How long a response is replayed. */
export const idempotencyRetentionMs = 24 * 60 * 60 * 1000

/**
 * In place of the id of an API key, which has no space. Its records never expire: an interrupted import of a file can be
 * resumed at any time.
 */
export const commandLineKeyId = 'command line'

/** Records of this key with this time, or an earlier one, have expired. */
export function lastExpired({ keyId }: Pick<IdempotencyKey, 'keyId'>, now: number): number {
  return keyId === commandLineKeyId ? Number.MIN_SAFE_INTEGER : now - idempotencyRetentionMs
}

interface Request {
  idempotencyKey?: IdempotencyKey | undefined
  at: number
}

/**
 * The result for a key that was used before: `replay` makes it from the stored response. Undefined without a key, and
 * for a new one.
 */
export function replayOf<Replay>(
  facts: Facts,
  { idempotencyKey: key, at }: Request,
  replay: (body: string) => Replay,
): Replay | { outcome: 'mismatch' } | undefined {
  if (key === undefined) return undefined
  const earlier = facts.storedResponse(key)
  if (earlier === undefined || earlier.at <= at - idempotencyRetentionMs) return undefined
  return earlier.fingerprint === key.fingerprint ? replay(earlier.body) : { outcome: 'mismatch' }
}

/** Stores the response to a request with a key. Refused requests are not stored. */
export function storeResponse({ idempotencyKey: key, at }: Request, body: () => string): ResponseStored[] {
  return key === undefined ? [] : [{ type: 'response.stored', key, body: body(), at }]
}
