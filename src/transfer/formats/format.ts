import type { NewPet, Pet } from '../../contract/pet.ts'

/** A file format for animals. */
export interface Format {
  readonly name: 'csv' | 'ndjson'
  /** The beginning of a file, before the first animal. */
  readonly header: string
  /** The row of an animal, with its line end. */
  encode(pet: Pet): string
  reader(): RowReader
}

/** One row of a file: an animal, or the reason why it is rejected. `line` is where the row begins, counted from 1. */
export type Row = { line: number; pet: NewPet } | Reject

export interface Reject {
  line: number
  /** One or more sentences. */
  reason: string
  /** The original bytes of the row, without its line end. */
  original: Buffer
}

/** The file cannot have its format. The message says why, as a sentence. */
export class InvalidFile extends Error {
  override readonly name = 'InvalidFile'
}

/**
 * Reads the rows of one file. Every method, and every iterator, throws an InvalidFile if the file cannot have this
 * format. Rows are read one at a time, so that the caller can pause between them: even few bytes can have many. All of
 * them must be taken before the next call.
 */
export interface RowReader {
  /** The rows completed by these bytes. */
  push(bytes: Buffer): Iterable<Row>
  /** The rows completed by the end of the file. */
  end(): Iterable<Row>
  /** The beginning of the rejects file. Available after the first row. */
  rejectsHeader(): Buffer
  encodeReject(reject: Reject): Buffer
}
