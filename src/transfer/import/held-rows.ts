import type { NewPet } from '../../contract/pet.ts'
import { indexCost } from '../../inventory/name-words.ts'
import { detached } from '../formats/bytes.ts'
import type { Row } from '../formats/format.ts'

export interface BatchLimits {
  /** As a multiple of a pet with a short name. */
  maxCost: number
  /** Of the names, and of rows that may be rejected: a batch is in memory here and in the database. */
  maxCharacters: number
}

/** A row, or only its pet: the rest of a row that cannot be rejected any more is not kept in memory. */
type HeldRow = Row | { pet: NewPet }

/** Rows that wait, in their order, until their categories are looked up together. */
export interface HeldRows {
  add(row: Row): void
  isFull(): boolean
  /** The names of categories in these rows. */
  categoryNames(): Iterable<string>
  /** Removes all rows. */
  take(): HeldRow[]
}

export function holdRows(limits: BatchLimits): HeldRows {
  let rows: HeldRow[] = []
  let characters = 0
  let cost = 0

  return {
    add(row) {
      const mayBeRejected = 'reason' in row || 'categoryName' in row.pet
      characters += mayBeRejected ? row.original.length : row.pet.name.length
      cost += 'reason' in row ? 1 : 1 + indexCost(row.pet.name)
      rows.push(mayBeRejected ? { ...row, original: detached(row.original) } : { pet: row.pet as NewPet })
    },
    isFull: () => cost >= limits.maxCost || characters >= limits.maxCharacters,
    *categoryNames() {
      for (const row of rows) if ('pet' in row && 'categoryName' in row.pet) yield row.pet.categoryName
    },
    take() {
      const taken = rows
      rows = []
      characters = 0
      cost = 0
      return taken
    },
  }
}
