import { PetStoreError } from '../../inventory/errors.ts'

/** An import that ended early; `cause` is why. */
export class ImportStopped extends Error {
  override readonly name = 'ImportStopped'
  /** The number of pets on disk, also those that an earlier import with the same key has added. */
  readonly added: number
  /** The number of further pets with an unknown outcome. */
  readonly unknown: number

  constructor(cause: unknown, added: number, unknown: number) {
    super('The import ended early.', { cause })
    this.added = added
    this.unknown = unknown
  }
}

/** Another import with the same idempotency key was faster: it counts the pets. */
export class KeyInUse extends PetStoreError {
  constructor() {
    super('conflict', 'Another request with this Idempotency-Key is in flight; try again.', { retryAfterSeconds: 1 })
  }
}

/** A row was rejected, so nothing is added. */
export class NothingAdded extends Error {}

export interface AllOrNothingLimits {
  maxPets: number
  maxCharacters: number
}

export function tooManyPets({ maxPets, maxCharacters }: AllOrNothingLimits): PetStoreError {
  return new PetStoreError(
    'payload_too_large',
    `The file has too many animals to add all or nothing: the maximum is ${maxPets}, and ` +
      `${maxCharacters / 1024 ** 2} Mi characters in their names.`,
  )
}
