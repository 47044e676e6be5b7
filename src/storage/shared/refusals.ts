import { StorageError } from './errors.ts'

// Reasons to refuse a database for a copy or a check, in the same words for every engine.

export function notEmpty(shown: string): StorageError {
  return new StorageError(`The database ${shown} is not empty: copy into a new one.`)
}

/** A copy can be resumed only from the same data. */
export const unfinishedCopyAdvice =
  'run the same petstore copy again to resume it, or copy into a new database if the source was changed since'

export function copyUnfinished(shown: string): StorageError {
  return new StorageError(`The database ${shown} contains an unfinished copy: ${unfinishedCopyAdvice}.`)
}

/** The number of the first released schema. Lower ones are those of checkouts before the first release. */
export const firstSchema = 100

/** 0: the database is empty. The last checkouts had number 100, too, but their index had no order of names. */
export function refuseUnreleasedSchema(shown: string, number: number, hasNameOrder = true): void {
  if (number <= 0 || (number >= firstSchema && hasNameOrder)) return
  throw new StorageError(
    `The database ${shown} was made by a checkout from before the first release (schema ${number}), which this version ` +
      'cannot read: use a new database. The checkout that made this one can export its animals for petstore import.',
  )
}

/** What to do about a dump of an older version that was restored over a newer database. `part` is one that is left. */
export function mixedSchema(number: number, part: string): string {
  return (
    `the schema is ${number}, but ${part} is of a newer one, so a dump was restored over a newer database: restore the ` +
    'dump into an empty database instead (docs/backup.md)'
  )
}

/** A read-only database cannot be migrated, and a newer schema may have data unknown to this version. */
export function refuseOtherSchema(shown: string, number: number, latest: number): void {
  refuseUnreleasedSchema(shown, number)
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
