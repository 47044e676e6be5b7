import { PetStoreError } from '../../inventory/errors.ts'
import { StorageError } from '../../storage/shared/errors.ts'

/** An error that the user can fix. The message is one sentence: what is wrong, and how to fix it. */
export class Failure extends Error {
  override readonly name = 'Failure'
}

/** A wrong argument: nothing was begun. */
export class WrongArgument extends Failure {}

/** Why the storage failed, as a part of a sentence: without a full stop. */
export function reasonOf({ cause, message }: PetStoreError): string {
  return (cause instanceof Error ? cause.message : message).replace(/\.$/, '')
}

/** What went wrong, for the user. */
export function sentenceOf(error: unknown): string {
  if (error instanceof Failure || error instanceof StorageError) return error.message
  if (!(error instanceof PetStoreError)) return `unexpected error: ${String(error)}`
  const { cause, message } = error
  return cause instanceof Error ? `${message} (${cause.message})` : message
}
