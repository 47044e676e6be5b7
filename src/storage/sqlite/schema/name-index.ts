import type { DatabaseSync } from 'node:sqlite'
import { indexedWords } from '../../../inventory/name-words.ts'
import { prepareRows } from '../connection/database.ts'

/** The index of the words of names. Every writer to the table of pets maintains it, in the same transaction. */
export interface NameIndex {
  add(id: bigint, name: string): void
  remove(id: bigint): void
}

export function prepareNameIndex(db: DatabaseSync): NameIndex {
  // Bigints: SQLite reports the last rowid, which may be one of a table inside the index.
  const insert = prepareRows(db, 'INSERT INTO pet_words (rowid, words) VALUES (?, ?)')
  const remove = prepareRows(db, 'DELETE FROM pet_words WHERE rowid = ?')
  return {
    add: (id, name) => void insert.run(id, indexedWords(name)),
    remove: (id) => void remove.run(id),
  }
}

/** Adds all pets above this id, which the index does not have yet. */
export function indexNames(db: DatabaseSync, above = 0n): void {
  prepareRows(
    db,
    'INSERT INTO pet_words (rowid, words) SELECT id, name_words(name) FROM pets WHERE id > ? ORDER BY id',
  ).run(above)
}
