import type { DatabaseSync } from 'node:sqlite'
import { indexedText } from '../../shared/order-term.ts'

/** The index of the words of names. Every writer to the table of pets maintains it, in the same transaction. */
export interface NameIndex {
  add(id: bigint, name: string): void
  remove(id: bigint): void
}

export function prepareNameIndex(db: DatabaseSync): NameIndex {
  const insert = db.prepare('INSERT INTO pet_words (rowid, words) VALUES (?, ?)')
  const remove = db.prepare('DELETE FROM pet_words WHERE rowid = ?')
  return {
    add: (id, name) => void insert.run(id, indexedText(name)),
    remove: (id) => void remove.run(id),
  }
}

/** Adds all pets above this id, which the index does not have yet. */
export function indexNames(db: DatabaseSync, above = 0n): void {
  db.prepare('INSERT INTO pet_words (rowid, words) SELECT id, name_words(name) FROM pets WHERE id > ? ORDER BY id').run(
    above,
  )
}
