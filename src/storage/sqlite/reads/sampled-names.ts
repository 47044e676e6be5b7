import type { DatabaseSync } from 'node:sqlite'
import { sampledIds } from '../../shared/reads/word-sample.ts'
import { prepareOneRow, prepareRows } from '../connection/database.ts'

/** Characters of the names of a sample: most words are among them. */
const sampledCharacters = 100

/** The beginnings of names from the whole shop (`sampledIds`). */
export function prepareSampledNames(db: DatabaseSync) {
  const highestId = prepareOneRow<[bigint | null]>(db, 'SELECT max(id) FROM pets')
  const nameFrom = prepareRows<[string | null]>(
    db,
    `SELECT substr(name, 1, ${sampledCharacters}) FROM pets WHERE id >= ? ORDER BY id LIMIT 1`,
  )
  return (size?: number, place?: () => number) => {
    const highest = highestId.get()[0]
    return { highest, names: sampledIds(highest, size, place).map((id) => nameFrom.get(id)?.[0] ?? '') }
  }
}
