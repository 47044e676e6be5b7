import type { NewPet, Pet } from '../../../contract/pet.ts'

/** How animals lie in a file. */
export interface Format {
  readonly name: 'csv' | 'ndjson'
  /** What a file begins with, before the first animal. */
  readonly header: string
  /** The row of an animal, with its line end. */
  encode(pet: Pet): string
  reader(): RowReader
}

/** One row of a file: the animal in it, or why there is none. Lines are counted from 1; a row is where it begins. */
export type Row = { line: number; pet: NewPet } | Reject

export interface Reject {
  line: number
  /** In sentences. */
  reason: string
  /** The row as it is in the file, without its line end. */
  original: Buffer
}

/** Reads the rows of one file. All its methods throw a Failure when the file cannot be one of this format. */
export interface RowReader {
  /** The rows that these bytes complete. */
  push(bytes: Buffer): Row[]
  /** The rows that are complete now that nothing follows. */
  end(): Row[]
  /** What a file of rejected rows begins with. Known once a row was read. */
  rejectsHeader(): Buffer
  encodeReject(reject: Reject): Buffer
}
