import type { DatabaseSync } from 'node:sqlite'
import { int64Max } from '../../../contract/int64.ts'
import { canBeNameKey, hasWords, keyLength, nameKey } from '../../../inventory/name-words.ts'
import type { NameCursor } from '../../../inventory/pets.ts'
import { keepSample } from '../../shared/reads/word-sample.ts'
import type { SearchInOrder } from '../../shared/reads/find-by-name.ts'
import { ascending, descending, type Direction } from '../../shared/reads/page.ts'
import type { PetRow } from '../../shared/rows/pet-row.ts'
import { isText } from '../../shared/rows/unreadable-row.ts'
import { prepareRows } from '../connection/database.ts'
import { prepareSampledNames } from './sampled-names.ts'
import { keyOfTerm, orderTerm } from '../../shared/order-term.ts'

/** The next pets in the order of names. */
export interface NextPets {
  /** Those that may have the words: the index has the beginning of their names. */
  proposed: Iterable<PetRow>
  /** How many pets the index was asked about, with those that it left out. */
  passed: number
  /** The end of these. Undefined: of all. */
  end: NameCursor | undefined
}

/** Walks through the pets in the order of names, about `count` at a time. */
export type WalkByName = (search: Pick<SearchInOrder, 'words' | 'sort' | 'after'>, count: number) => NextPets

/** All terms for the order are below it. */
const endOfTerms = '"'
/** Pets whose names divide the list into parts. Backwards it is read in parts: the index can only be read forwards. */
const divisions = 1_024
/** Proposals of a part that is read backwards, at most. */
const maxProposals = 20_000

/** `columns` are those of the rows that are proposed. */
export function prepareWalk(db: DatabaseSync, columns: string): WalkByName {
  const sameName = { name: prepareSameName(db, columns, ascending), '-name': prepareSameName(db, columns, descending) }
  // A key of full length may lack words of its name.
  const proposals = prepareRows<[term: string, id: bigint]>(
    db,
    `SELECT term, doc FROM pet_word_list
      WHERE term >= ? AND term < ? AND (instr(term, ?) > 0 OR length(term) > ${keyLength}) LIMIT (? + 0)`,
  )
  const petOf = prepareRows<PetRow>(db, `SELECT ${columns} FROM pets WHERE id = ?`)
  const sampledNames = prepareSampledNames(db)
  const sample = keepSample(() => {
    // At random places: names may repeat as regularly as the ids.
    const { highest, names } = sampledNames(divisions, Math.random)
    const terms = [...new Set(['', ...names.map(nameKey)])]
      .map((key) => Buffer.from(orderTerm(key)))
      .toSorted(Buffer.compare)
    return { terms, petsPerPart: Math.max(Number(highest ?? 0n) / terms.length, 1) }
  })

  function* petsOf(found: readonly (readonly [term: string, id: bigint])[]): Generator<PetRow> {
    for (const [term, id] of found) {
      const row = petOf.get(id)
      if (row !== undefined && hasTerm(row, term)) yield row
    }
  }

  /** The pets behind the position that have the same key. Undefined if none of these matches. */
  function withSameName({ words, sort, after }: Position, count: number): NextPets | undefined {
    if (after === undefined) return undefined
    const { key, id } = after
    // It becomes a part of a query, where a quote would end it.
    if (!canBeNameKey(key)) return undefined
    // A name that is known to its end either has the words or does not.
    if (orderTerm(key).length <= keyLength && !hasWords(key, words)) return undefined
    const rows = sameName[sort].all(`"${orderTerm(key)}"`, id, count)
    const last = rows.at(-1)
    if (last === undefined) return undefined
    return {
      proposed: rows.filter((row) => hasTerm(row, orderTerm(key))),
      passed: rows.length,
      end: { key, id: rows.length < count ? endOfName[sort] : last[0] },
    }
  }

  function forwards(word: string, after: NameCursor | undefined, count: number): NextPets {
    const start = after === undefined ? orderTerm('') : `${orderTerm(after.key)}!`
    const { terms, petsPerPart } = sample.get()
    const parts = Math.max(Math.floor(count / petsPerPart), 1)
    const position = Buffer.from(start)
    const next = terms.findIndex((term) => Buffer.compare(term, position) > 0)
    const end = next < 0 ? undefined : terms[next + parts - 1]?.toString()
    const found = proposals.all(start, end ?? endOfTerms, word, count)
    const last = found.at(-1)
    if (last !== undefined && found.length === count)
      return { proposed: petsOf(found), passed: count, end: { key: keyOfTerm(last[0]), id: last[1] } }
    return {
      proposed: petsOf(found),
      passed: Math.ceil(parts * petsPerPart),
      end: end === undefined ? undefined : { key: keyOfTerm(end), id: 0n },
    }
  }

  function backwards(word: string, after: NameCursor | undefined, count: number): NextPets {
    const end = after === undefined ? endOfTerms : orderTerm(after.key)
    const { terms, petsPerPart } = sample.get()
    const parts = Math.max(Math.floor(count / petsPerPart), 1)
    const last = terms.findLastIndex((term) => Buffer.compare(term, Buffer.from(end)) < 0)
    if (last < 0) return { proposed: [], passed: 0, end: undefined }
    let start = (terms[Math.max(last - parts + 1, 0)] as Buffer).toString()
    for (;;) {
      const found = proposals.all(`${start}!`, end, word, maxProposals)
      if (found.length < maxProposals) {
        const passed = Math.ceil(parts * petsPerPart)
        return { proposed: petsOf(found.toReversed()), passed, end: { key: keyOfTerm(start), id: int64Max } }
      }
      start = (found.at(-1) as (typeof found)[number])[0]
    }
  }

  return (search, count) => {
    const same = withSameName(search, count)
    if (same !== undefined) return same
    const [longest = ''] = search.words.toSorted((one, other) => other.length - one.length)
    return (search.sort === 'name' ? forwards : backwards)(orderTerm(longest), search.after, count)
  }
}

/** The names decide: a damaged index may have another one for a pet, and pages must not go there and back. */
function hasTerm([, name]: PetRow, term: string): boolean {
  return isText(name) && orderTerm(nameKey(name)) === term
}

type Position = Parameters<WalkByName>[0]

/** The end of the pets with one name. */
const endOfName = { name: int64Max, '-name': 0n }

// CROSS JOIN: the index names the pets, in their order.
function prepareSameName(db: DatabaseSync, columns: string, { beyond, order }: Direction) {
  return prepareRows<PetRow>(
    db,
    `SELECT ${columns} FROM pet_words CROSS JOIN pets ON pets.id = pet_words.rowid
      WHERE pet_words MATCH ? AND pet_words.rowid ${beyond} ? ORDER BY pet_words.rowid${order} LIMIT (? + 0)`,
  )
}
