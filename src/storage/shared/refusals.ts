import { StorageError } from './errors.ts'

// Reasons to refuse a database for a copy or a check, in the same words for every engine.

export function notEmpty(shown: string): StorageError {
  return new StorageError(`The database ${shown} is not empty: copy into a new one.`)
}

export function copyUnfinished(shown: string): StorageError {
  return new StorageError(`The database ${shown} contains an unfinished copy: run petstore copy again to resume it.`)
}

/** A read-only database cannot be migrated, and a newer schema may have data unknown to this version. */
export function refuseOtherSchema(shown: string, number: number, latest: number): void {
  if (number < latest) {
    throw new StorageError(
      `The database ${shown} is not up to date (schema ${number} of ${latest}): run petstore migrate first.`,
    )
  }
  if (number > latest) {
    throw new StorageError(
      `The database ${shown} was written by a newer version of the program (schema ${number}, this one knows ` +
        `${latest}): use that version.`,
    )
  }
}
