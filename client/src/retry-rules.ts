import type { OperationId } from './contract.ts'

/**
 * What is known after an attempt that failed, and what is then sent again. This table and the next one decide about every
 * retry.
 */
const failures = {
  /** No connection came about: it was refused, or there is no such host. */
  unreached: { mayHaveSucceeded: false, retry: 'any' },
  /** Refused before any work, and asked to come back: 429, 408, or 409 with Retry-After. */
  deferred: { mayHaveSucceeded: false, retry: 'any' },
  /** Refused before any work, as it would be again: any other 4xx. */
  refused: { mayHaveSucceeded: false, retry: 'none' },
  /** The connection broke, the time was up, or 502, 503, 504: a commit may have come before it. */
  lost: { mayHaveSucceeded: true, retry: 'repeatable' },
  /** 500, or a response that is not of this service: it would be the same again. */
  broken: { mayHaveSucceeded: true, retry: 'none' },
} as const

export type Failure = keyof typeof failures

/** Whether a request that is carried out twice leaves everything as if it had been carried out once. */
const repeatable: Record<OperationId, 'always' | 'if guarded'> = {
  // They change nothing.
  listPets: 'always',
  getPet: 'always',
  listOrders: 'always',
  getOrder: 'always',
  getInventory: 'always',
  listCategories: 'always',
  getCategory: 'always',
  listEvents: 'always',
  // The service knows the Idempotency-Key again.
  createPet: 'always',
  placeOrder: 'always',
  // An id is never given again, and an order ends once: the second time is refused.
  deletePet: 'always',
  updateOrder: 'always',
  // The second time would undo what somebody else did after the first. A precondition refuses it.
  updatePet: 'if guarded',
  putCategory: 'if guarded',
}

export function mayRetry(failure: Failure, operation: OperationId, guarded: boolean): boolean {
  const { retry } = failures[failure]
  return retry === 'any' || (retry === 'repeatable' && (guarded || repeatable[operation] === 'always'))
}

/** Whether a precondition refuses the request the second time. `If-Match: *` does not: any version matches. */
export function isGuarded(headers: Headers): boolean {
  return (headers.get('if-match') ?? '*') !== '*' || headers.has('if-none-match')
}

/** Whether a write may have been carried out in spite of the failure. */
export function mayHaveSucceeded(failure: Failure): boolean {
  return failures[failure].mayHaveSucceeded
}

/** What a response that is no success means, whoever sent it. */
export function failureOf(status: number, hasRetryAfter: boolean): Failure {
  if (status === 429 || status === 408 || (status === 409 && hasRetryAfter)) return 'deferred'
  if (status >= 400 && status < 500) return 'refused'
  return status === 502 || status === 503 || status === 504 ? 'lost' : 'broken'
}
