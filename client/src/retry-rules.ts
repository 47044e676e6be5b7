import type { OperationId } from './contract.ts'

/**
 * What is known after a failed attempt, and which operations are then sent again. This table and the next one decide
 * every retry.
 */
const failures = {
  /** No connection: it was refused, or the host does not exist. */
  unreached: 'any',
  /** The certificate of the server is not trusted. */
  untrusted: 'none',
  /** Refused before any work, with a request to retry: 408, 425, 429, or 409 with Retry-After. */
  deferred: 'any',
  /** Refused before any work, and would be refused again: any other 4xx. */
  refused: 'none',
  /** The connection broke, the timeout expired, or 502, 503, 504, 52x: a commit may have happened. */
  lost: 'repeatable',
  /** 500, or a response that is not from this service: a retry would fail again, a commit may have happened. */
  broken: 'none',
} as const

export type Failure = keyof typeof failures

type Read = `${'get' | 'list' | 'export'}${string}`

/** Carrying it out twice has the same effect as once. A type, because it needs no entry in the table. */
type Repeatable =
  | Read
  // The service recognises the Idempotency-Key.
  | 'createPet'
  | 'bulkChangePets'
  | 'placeOrder'
  | 'createCategory'
  | 'importPets'
  | 'undoImport'
  // An id is never assigned again: the second attempt is refused.
  | 'deletePet'
  | 'deleteWebhook'
  | 'deleteInvitation'
  // A revoked key stays revoked.
  | 'revokeKey'

/** When the other operations may be carried out twice. */
const repeatable: Record<Exclude<OperationId, Repeatable>, 'if guarded' | 'never'> = {
  // Each attempt would make another key.
  createKey: 'never',
  rotateKey: 'never',
  // Each attempt would make another invitation. An invitation works once.
  createInvitation: 'never',
  redeemInvitation: 'never',
  // Each attempt would make another webhook, or another secret, and end the one before.
  createWebhook: 'never',
  rotateWebhook: 'never',
  // The receiver would get it once more.
  resendDelivery: 'never',
  testWebhook: 'never',
  // The second attempt could undo another admin's change.
  updateKey: 'never',
  // The second attempt could undo another client's change. A precondition refuses it.
  updatePet: 'if guarded',
  updateOrder: 'if guarded',
  putCategory: 'if guarded',
  updateWebhook: 'if guarded',
  // The id of a removed category may be given again.
  deleteCategory: 'if guarded',
}

export function mayRetry(failure: Failure, operation: string, guarded: boolean): boolean {
  const retry = failures[failure]
  if (retry !== 'repeatable') return retry === 'any'
  const rule = (repeatable as Partial<Record<string, string>>)[operation]
  return !rule || (rule === 'if guarded' && guarded)
}

/** Whether a precondition refuses the second attempt. `If-Match: *` does not: it matches any version. */
export function isGuarded(headers: Headers): boolean {
  return (headers.get('if-match') ?? '*') !== '*' || headers.has('if-none-match')
}

/** Whether a write may have succeeded in spite of the failure. */
export function mayHaveSucceeded(failure: Failure): boolean {
  return failure === 'lost' || failure === 'broken'
}

/** The meaning of an error status, from the service or a gateway. */
export function failureOf(status: number, hasRetryAfter: boolean): Failure {
  if ([408, 425, 429].includes(status) || (status === 409 && hasRetryAfter)) return 'deferred'
  if (status >= 400 && status < 500) return 'refused'
  // 520 to 529 are Cloudflare's.
  return /^5(0[234]|2.)$/.test(String(status)) ? 'lost' : 'broken'
}
