import type { DatabaseSync } from 'node:sqlite'
import { wordsOf } from '../../../inventory/name-words.ts'
import { openCommonWords } from '../../shared/reads/common-words.ts'
import type { Search } from '../../shared/reads/find-by-name.ts'
import { keepSample, wordSample } from '../../shared/reads/word-sample.ts'
import { ascending, boundOf, descending, type Direction } from '../../shared/reads/page.ts'
import type { PetRow } from '../../shared/rows/pet-row.ts'
import { prepareOneRow, prepareRows, type RowStatement } from '../connection/database.ts'
import { prepareSampledNames } from './sampled-names.ts'

/** A beginning of words is rare if the index has it fewer times. */
const rareBelow = 5_000
/** Words that are looked up. A text of 100 characters may have 50. */
const maxWords = 4
/** Words of the index that may begin with a word of a search. The others are left to the comparison. */
const maxTerms = 16
/** Entries of common words that may be read: 0.05 µs each. */
const maxEntries = 800_000

/** The index of the words of names. */
export interface WordIndex {
  /** Whether it will probably fill a page sooner than the list, of which more than `pets` would have to be compared. */
  isFaster(search: Search, pets: number): boolean
  /** The pets that may have the words, from the position of the search on. Undefined if that would take too long. */
  propose(search: Search): Iterable<PetRow> | undefined
  /** All pets that may have the words, by id. Undefined if that would take too long. */
  proposeAll(words: readonly string[]): Iterable<PetRow> | undefined
}

/** `columns` are those of the rows that are proposed. */
export function prepareWordIndex(db: DatabaseSync, columns: string): WordIndex {
  const matching = { id: prepareMatching(db, columns, ascending), '-id': prepareMatching(db, columns, descending) }
  const countOf = prepareOneRow<[bigint]>(
    db,
    'SELECT count(*) FROM (SELECT 1 FROM pet_word_list WHERE term >= ?1 AND term <= ?1 || char(0x10ffff) LIMIT (?2 + 0))',
  )
  const termFrom = prepareRows<[string]>(db, 'SELECT term FROM pet_word_list WHERE term >= ? LIMIT 1')
  const sampledNames = prepareSampledNames(db)
  const sample = keepSample(() => {
    const { highest, names } = sampledNames()
    return wordSample(names.map(wordsOf), highest)
  })
  const common = openCommonWords()

  /** The rarest word, if it is rare. */
  function rareOf(words: readonly string[]): string | undefined {
    const counted = words
      .filter((word) => !common.has(word))
      .map((word) => ({ word, count: Number(countOf.get(word, rareBelow)[0]) }))
    for (const { word, count } of counted) if (count >= rareBelow) common.add(word)
    const [rarest] = counted.toSorted((one, other) => one.count - other.count)
    return rarest !== undefined && rarest.count < rareBelow ? rarest.word : undefined
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

  /**
   * For pets that have these words, by whole words of the index: it goes through their entries side by side, and only as
   * far as the page. To look up a beginning, it would first collect all its entries.
   */
  function queryForAll(words: readonly string[], { least, most }: { least: number; most: number }): string | undefined {
    const known: { word: string; terms: string[] }[] = []
    for (const word of words) {
      const terms = known.length < most ? termsOf(word) : undefined
      // The index may no longer have a word of the sample.
      if (terms !== undefined && terms.length > 0) known.push({ word, terms })
    }
    if (known.length < least) return undefined
    const { pets, shareOf } = sample.get()
    const entries = known.reduce((sum, { word }) => sum + shareOf(word) * pets, 0)
    // Between two matches it cannot be interrupted. Every entry of a single word is a match.
    if (known.length > 1 && entries > maxEntries) return undefined
    return known.map(({ terms }) => `(${terms.map((term) => `"${term}"`).join(' OR ')})`).join(' AND ')
  }

  /** The index must be fast to the end. */
  function queryForOrder(words: readonly string[]): string | undefined {
    return queryForBeginning(rareOf(words)) ?? queryForAll(words, { least: 2, most: words.length })
  }

  /** Two words are enough: of the pets that have both, few lack the others. */
  function queryForPage(words: readonly string[], { filter, words: all }: Search): string | undefined {
    const { shareOf } = sample.get()
    const rarestFirst = words
      .map((word) => ({ word, share: shareOf(word) }))
      .toSorted((one, other) => one.share - other.share)
    const wordsIn = (isSampled: boolean) =>
      rarestFirst.filter(({ share }) => share > 0 === isSampled).map(({ word }) => word)
    // With a filter, most pets that have a single word may be the wrong ones.
    const least = all.length === 1 && Object.keys(filter).length === 0 ? 1 : 2
    return (
      queryForBeginning(rareOf(wordsIn(false))) ??
      queryForAll(
        rarestFirst.map(({ word }) => word),
        { least, most: 2 },
      ) ??
      queryForBeginning(rareOf(wordsIn(true)))
    )
  }

  return {
    isFaster({ words, filter, limit }, pets) {
      if (Object.keys(filter).length > 0) return false
      const { shareOf } = sample.get()
      const [rarest = 1, next = 1] = words.map(shareOf).toSorted((one, other) => one - other)
      return limit > pets * rarest * next
    },
    propose(search) {
      const { words, sort, after } = search
      const query = queryForPage(longestOf(words), search)
      return query === undefined ? undefined : matching[sort].iterate(query, boundOf(sort, after))
    },
    proposeAll(words) {
      const query = queryForOrder(longestOf(words))
      return query === undefined ? undefined : matching.id.iterate(query, 0n)
    },
  }
}

function longestOf(words: readonly string[]): string[] {
  return words.toSorted((one, other) => other.length - one.length).slice(0, maxWords)
}

/** Words have letters and digits only. */
function queryForBeginning(word: string | undefined): string | undefined {
  return word === undefined ? undefined : `"${word}" *`
}

// CROSS JOIN: the index names the pets, in their order.
function prepareMatching(db: DatabaseSync, columns: string, { beyond, order }: Direction): RowStatement<PetRow> {
  return prepareRows<PetRow>(
    db,
    `SELECT ${columns} FROM pet_words CROSS JOIN pets ON pets.id = pet_words.rowid
      WHERE pet_words MATCH ? AND pet_words.rowid ${beyond} ? ORDER BY pet_words.rowid${order}`,
  )
}
