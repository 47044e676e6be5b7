import type { IdempotencyKey } from '../idempotency-key.ts'
import type { Answered } from './change.ts'
import type { Facts } from './facts.ts'

/** How long the answer to a request with an idempotency key is replayed. */
export const idempotencyRetentionMs = 24 * 60 * 60 * 1000

/**
 * Every new answer deletes so many that are past their retention: the table shrinks as it is used, and nothing has to run
 * on a timer.
 */
export const deletedPerAnswer = 2

interface Request {
  idempotencyKey?: IdempotencyKey
  at: number
}

/**
 * What to tell a client that has sent this key before: `replay` makes it of the answer that was given then. Undefined for
 * a request without a key, and for the first with this one.
 */
export function replayOf<Replay>(
  facts: Facts,
  { idempotencyKey: key, at }: Request,
  replay: (body: string) => Replay,
): Replay | { outcome: 'mismatch' } | undefined {
  const earlier = key && facts.answerTo(key)
  if (earlier === undefined || earlier.at <= at - idempotencyRetentionMs) return undefined
  return earlier.fingerprint === key?.fingerprint ? replay(earlier.body) : { outcome: 'mismatch' }
}

/** Remembers the answer to a request with a key. A request that is refused is not remembered. */
export function answered({ idempotencyKey: key, at }: Request, body: () => string): Answered[] {
  return key === undefined ? [] : [{ type: 'request.answered', key, body: body(), at }]
}
