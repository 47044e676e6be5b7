/** What an `Idempotency-Key` names: a request to write, so that a retry finds the first answer instead of writing again. */
export interface IdempotencyKey {
  /** The API key that the request was made with: two clients may choose the same name. */
  keyId: string
  name: string
  /** Digest of what was asked. The same name with another fingerprint is a mistake of the client's. */
  fingerprint: string
}
