import type { PetStoreError } from '../../inventory/errors.ts'

/** An error that the user can fix. The message is one sentence: what is wrong, and how to fix it. */
export class Failure extends Error {
  override readonly name = 'Failure'
}

/** Why the storage failed, as a part of a sentence: without a full stop. */
export function reasonOf({ cause, message }: PetStoreError): string {
  return (cause instanceof Error ? cause.message : message).replace(/\.$/, '')
}
