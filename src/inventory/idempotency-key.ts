/** Identifies a write by its `Idempotency-Key`, so that a retry returns the first response. */
export interface IdempotencyKey {
  /** The API key of the request: two clients may use the same name. */
  keyId: string
  name: string
  /** A digest of the request. The same name with another fingerprint is a client error. */
  fingerprint: string
}

/** Identifies a key in memory. Unambiguous: the id of an API key has no space. */
export function identityOf({ keyId, name }: Pick<IdempotencyKey, 'keyId' | 'name'>): string {
  return `${keyId} ${name}`
}
