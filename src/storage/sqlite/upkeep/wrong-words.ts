import type { DatabaseSync } from 'node:sqlite'
import { crc32 } from 'node:zlib'
import { wordsOf } from '../../../inventory/name-words.ts'
import { prepareRows } from '../connection/database.ts'

/** Pets are compared with the index in groups of as many ids. */
const groupSize = 1_000n

/**
 * Compares the words of the names with those of the index. The index has them by word, so the words of a group of pets
 * are summed up as checksums, on both sides in any order.
 */
export async function* findWrongWords(db: DatabaseSync): AsyncGenerator<string> {
  const sums = new Map<bigint, number>()
  function add(id: bigint, word: string, sign: 1 | -1): void {
    const group = (id - 1n) / groupSize
    const checksum = crc32(word, Number(BigInt.asUintN(32, id)))
    sums.set(group, ((sums.get(group) ?? 0) + sign * checksum) | 0)
  }

  for (const [id, name] of rowsOf<[bigint, string]>(db, 'SELECT id, name FROM pets')) {
    for (const word of new Set(wordsOf(name))) add(id, word, 1)
  }
  for (const [word, id] of rowsOf<[string, bigint]>(db, 'SELECT term, doc FROM pet_word_list')) add(id, word, -1)

  for (const [group, sum] of [...sums].toSorted(([one], [other]) => Number(one - other))) {
    const first = group * groupSize + 1n
    const last = first + groupSize - 1n
    if (sum !== 0) yield `The search index does not agree with the names of the animals ${first} to ${last}.`
  }
}

function rowsOf<Row>(db: DatabaseSync, sql: string): Iterable<Row> {
  return prepareRows(db, sql).iterate() as Iterable<unknown> as Iterable<Row>
}
