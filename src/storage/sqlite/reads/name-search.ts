import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { IdSort } from '../../../contract/parameters.ts'
import { hasWords } from '../../../inventory/name-words.ts'
import { choosePets, type PetStatements, ifMatching } from '../../shared/reads/filters.ts'
import type { FoundPart, SearchPart } from '../../shared/reads/find-by-name.ts'
import { ascending, boundOf, descending, type Direction } from '../../shared/reads/page.ts'
import { asPet, petColumns, type PetRow } from '../../shared/rows/pet-row.ts'
import { prepareRows } from '../connection/database.ts'

/** Pets read before the index is used: enough for a page of a common word, which the index would find slowly. */
const scannedPets = 2_000
/** Pets that the index may name in a part. */
const maxCandidates = 10_000
/** A beginning of words is rare if the index has it fewer times. */
const rareBelow = 5_000

/**
 * Searches by name in parts of bounded work. The first reads pets in the order of the list: if the words are common, it
 * finds enough. Otherwise they are rare, and the index names the pets that may match.
 */
export function prepareSearch(
  db: DatabaseSync,
  lists: Record<IdSort, PetStatements<StatementSync>>,
): (part: SearchPart) => FoundPart {
  const byIndex = { id: prepareByIndex(db, ascending), '-id': prepareByIndex(db, descending) }
  const countOf = prepareRows(
    db,
    `SELECT count(*) FROM (SELECT 1 FROM pet_word_list WHERE term >= ?1 AND term <= ?1 || char(0x10ffff) LIMIT ${rareBelow})`,
  )

  /** The rarest word alone, if it is rare: to look up a common one, the index merges all its matches. */
  function matchOf(words: readonly string[]): string {
    const counted = words.map((word) => ({ word, count: Number(countOf.get(word)?.[0]) }))
    const [rarest] = counted.toSorted((one, other) => one.count - other.count)
    const lookedUp = rarest !== undefined && rarest.count < rareBelow ? [rarest.word] : words
    // Words have letters and digits only.
    return lookedUp.map((word) => `"${word}" *`).join(' ')
  }

  function candidatesOf({ words, filter, sort, after, number }: SearchPart, count: number): Iterable<PetRow> {
    const { statement, values } =
      number > 0 ? { statement: byIndex[sort], values: [matchOf(words)] } : choosePets(lists[sort], filter)
    return statement.iterate(...values, boundOf(sort, after), count) as Iterable<unknown> as Iterable<PetRow>
  }

  return (part) => {
    const maxRead = part.number === 0 ? scannedPets : maxCandidates
    const rows: PetRow[] = []
    let read = 0
    let next = part.after
    for (const row of candidatesOf(part, maxRead)) {
      read++
      next = row[0]
      if (!hasWords(row[1], part.words) || ifMatching(part.filter, asPet(row)) === undefined) continue
      rows.push(row)
      if (rows.length === part.limit) break
    }
    return { rows, ...((read === maxRead || rows.length === part.limit) && { next }) }
  }
}

// CROSS JOIN: the index names the pets, in their order.
function prepareByIndex(db: DatabaseSync, { beyond, order }: Direction): StatementSync {
  return prepareRows(
    db,
    `SELECT ${petColumns} FROM pet_words CROSS JOIN pets ON pets.id = pet_words.rowid
      WHERE pet_words MATCH ? AND pet_words.rowid ${beyond} ? ORDER BY pet_words.rowid${order} LIMIT (? + 0)`,
  )
}
