/** Names one attempt to write, so that a retry of it finds the first answer instead of writing again. */
export interface Attempt {
  /** The API key that the attempt belongs to: two clients may choose the same name. */
  keyId: string
  name: string
  /** Digest of what was asked. The same name with another fingerprint is a mistake of the client's. */
  fingerprint: string
}
