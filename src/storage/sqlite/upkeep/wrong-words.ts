import type { DatabaseSync } from 'node:sqlite'
import { crc32 } from 'node:zlib'
import { nameKey, wordsOf } from '../../../inventory/name-words.ts'
import { prepareRows } from '../connection/database.ts'
import { orderTerm } from '../../shared/order-term.ts'

/** Pets are compared with the index in groups of as many ids. */
const groupSize = 1_000n

/** Finds where the index and the names of the pets do not agree, and where the index does not find what it has. */
export async function* findWrongWords(db: DatabaseSync): AsyncGenerator<string> {
  yield* findWrongRows(db)
  yield* compareWords(db)
}

/**
 * Compares the words of the names with those of the index. The index has them by word, so the words of a group of pets
 * are summed up as checksums, on both sides in any order.
 */
function* compareWords(db: DatabaseSync): Generator<string> {
  const lookUp = prepareLookUps(db)
  const sums = new Map<bigint, number>()
  function add(id: bigint, word: string, sign: 1 | -1): void {
    const group = (id - 1n) / groupSize
    const checksum = crc32(word, Number(BigInt.asUintN(32, id)))
    sums.set(group, ((sums.get(group) ?? 0) + sign * checksum) | 0)
  }

  for (const [id, name] of rowsOf<[bigint, string]>(db, 'SELECT id, name FROM pets')) {
    for (const word of new Set([...wordsOf(name), orderTerm(nameKey(name))])) add(id, word, 1)
  }
  for (const [word, id] of rowsOf<[string, bigint]>(db, 'SELECT term, doc FROM pet_word_list')) {
    add(id, word, -1)
    if (!lookUp(word, id)) yield `The search index does not find the animal ${id} by the word "${word.slice(0, 50)}".`
  }

  for (const [group, sum] of [...sums].toSorted(([one], [other]) => Number(one - other))) {
    const first = group * groupSize + 1n
    const last = first + groupSize - 1n
    if (sum !== 0) yield `The search index does not agree with the names of the animals ${first} to ${last}.`
  }
}

/** Characters of the index between two lookups: a page of it has at most 4,050. */
const charactersPerLookUp = 500

/**
 * Looks up a word where a page of the index may begin: if an entry that leads to a page is missing, its words are there
 * and nobody finds them. To look up all words would take ten times as long.
 */
function prepareLookUps(db: DatabaseSync): (word: string, id: bigint) => boolean {
  const find = prepareRows<[bigint]>(db, 'SELECT 1 FROM pet_words WHERE pet_words MATCH ? AND rowid = ?')
  let characters = charactersPerLookUp
  let last: string | undefined
  return (word, id) => {
    characters += word === last ? 1 : word.length
    if (word === last || characters < charactersPerLookUp) return true
    last = word
    characters = 0
    return find.get(`"${word}"`, id) !== undefined
  }
}

/** The rows of the pets in the index: without them a pet cannot be renamed or deleted. */
function* findWrongRows(db: DatabaseSync): Generator<string> {
  const missing = without('pets', 'pet_words_docsize')
  for (const [id] of rowsOf<[bigint]>(db, missing)) yield `The animal ${id} is missing from the search index.`
  const unknown = without('pet_words_docsize', 'pets')
  for (const [id] of rowsOf<[bigint]>(db, unknown)) yield `The search index has an animal ${id}, which does not exist.`
  const [counted] = rowsOf<[Uint8Array]>(db, 'SELECT block FROM pet_words_data WHERE id = 1')
  const [[pets] = [0n]] = rowsOf<[bigint]>(db, 'SELECT count(*) FROM pets')
  const found = counted === undefined || counted[0].length === 0 ? 0n : readVarint(counted[0])
  // Deleted pets are not subtracted.
  if (found < pets) yield `The search index has a count of ${found} animals, but there are ${pets}.`
}

function without(table: string, other: string): string {
  return `SELECT id FROM ${table} AS row WHERE NOT EXISTS (SELECT 1 FROM ${other} WHERE id = row.id) ORDER BY id`
}

/** The first integer of a record of FTS5: seven bits a byte, the highest first. */
function readVarint(bytes: Uint8Array): bigint {
  let value = 0n
  for (const byte of bytes) {
    value = (value << 7n) | BigInt(byte & 0x7f)
    if (byte < 0x80) break
  }
  return value
}

function rowsOf<Row extends readonly unknown[]>(db: DatabaseSync, sql: string): Iterable<Row> {
  return prepareRows<Row>(db, sql).iterate()
}
