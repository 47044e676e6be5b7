import type { DatabaseSync } from 'node:sqlite'
import { wordsOf } from '../../../inventory/name-words.ts'
import { openCommonWords } from '../../shared/reads/common-words.ts'
import type { Search } from '../../shared/reads/find-by-name.ts'
import { ascending, boundOf, descending, type Direction } from '../../shared/reads/page.ts'
import type { PetRow } from '../../shared/rows/pet-row.ts'
import { prepareOneRow, prepareRows, type RowStatement } from '../connection/database.ts'

/** A beginning of words is rare if the index has it fewer times; if all pets are compared, the second number counts. */
const rareBelow = { page: 5_000, all: 20_000 }
/** Words that are looked up. A text of 100 characters may have 50. */
const maxWords = 4
/** Words of the index that may begin with a word of a search. The others are left to the comparison. */
const maxTerms = 16
/** Pets of which the words are counted, from the whole shop, and how many characters of their names. */
const sample = { pets: 64, characters: 100 }
/** Entries of common words that may be read: 0.05 µs each. */
const maxEntries = 800_000

/** The index of the words of names. */
export interface WordIndex {
  /** The pets that may have the words, from the position of the search on. Undefined if that would take too long. */
  propose(search: Search): Iterable<PetRow> | undefined
}

/** `columns` are those of the rows that are proposed. */
export function prepareWordIndex(db: DatabaseSync, columns: string): WordIndex {
  const matching = { id: prepareMatching(db, columns, ascending), '-id': prepareMatching(db, columns, descending) }
  const countOf = prepareOneRow<[bigint]>(
    db,
    'SELECT count(*) FROM (SELECT 1 FROM pet_word_list WHERE term >= ?1 AND term <= ?1 || char(0x10ffff) LIMIT (?2 + 0))',
  )
  const termFrom = prepareRows<[string]>(db, 'SELECT term FROM pet_word_list WHERE term >= ? LIMIT 1')
  const highestId = prepareOneRow<[bigint | null]>(db, 'SELECT max(id) FROM pets')
  const nameFrom = prepareRows<[string | null]>(
    db,
    `SELECT substr(name, 1, ${sample.characters}) FROM pets WHERE id >= ? ORDER BY id LIMIT 1`,
  )
  const common = { page: openCommonWords(), all: openCommonWords() }

  /** The rarest word, if it is rare. */
  function rareOf(words: readonly string[], wanted: 'page' | 'all'): string | undefined {
    const [known, limit] = [common[wanted], rareBelow[wanted]]
    const counted = words
      .filter((word) => !known.has(word))
      .map((word) => ({ word, count: Number(countOf.get(word, limit)[0]) }))
    for (const { word, count } of counted) if (count >= limit) known.add(word)
    const [rarest] = counted.toSorted((one, other) => one.count - other.count)
    return rarest !== undefined && rarest.count < limit ? rarest.word : undefined
  }

  /** The words of the index that begin so. Undefined if there are many. */
  function termsOf(word: string): string[] | undefined {
    const terms: string[] = []
    // No word has a character below 0, so the next word is not before this one with a 0.
    for (let from = word; terms.length <= maxTerms; ) {
      const term = termFrom.get(from)?.[0]
      if (!term?.startsWith(word)) return terms
      terms.push(term)
      from = `${term}0`
    }
    return undefined
  }

  /** How many entries the index has for words that begin so, by a sample. */
  function estimateEntries(words: readonly string[]): number {
    const pets = Number(highestId.get()[0] ?? 0)
    let found = words.length
    for (let nth = 0; nth < sample.pets; nth++) {
      const name = nameFrom.get(Math.floor((pets * nth) / sample.pets))?.[0]
      const ofName = wordsOf(name ?? '')
      found += words.filter((word) => ofName.some((each) => each.startsWith(word))).length
    }
    return (found * pets) / sample.pets
  }

  /**
   * For pets that have two words or more, whole ones: the index goes through their entries side by side. To look up a
   * beginning, it would first collect all its entries.
   */
  function queryForAll(words: readonly string[]): string | undefined {
    const known = words.flatMap((word) => {
      const terms = termsOf(word)
      return terms === undefined ? [] : [{ word, terms }]
    })
    if (known.length < 2 || estimateEntries(known.map(({ word }) => word)) > maxEntries) return undefined
    return known.map(({ terms }) => `(${terms.map((term) => `"${term}"`).join(' OR ')})`).join(' AND ')
  }

  return {
    propose({ words, sort, after, inOrder }) {
      const longest = words.toSorted((one, other) => other.length - one.length).slice(0, maxWords)
      const rare = rareOf(longest, inOrder === undefined ? 'page' : 'all')
      // Words have letters and digits only.
      const query = rare === undefined ? queryForAll(longest) : `"${rare}" *`
      if (query === undefined) return undefined
      return matching[sort].iterate(query, boundOf(sort, after))
    },
  }
}

// CROSS JOIN: the index names the pets, in their order.
function prepareMatching(db: DatabaseSync, columns: string, { beyond, order }: Direction): RowStatement<PetRow> {
  return prepareRows<PetRow>(
    db,
    `SELECT ${columns} FROM pet_words CROSS JOIN pets ON pets.id = pet_words.rowid
      WHERE pet_words MATCH ? AND pet_words.rowid ${beyond} ? ORDER BY pet_words.rowid${order}`,
  )
}
