import type { Pet } from '../../contract/pet.ts'
import type { RowPet } from './row-pet.ts'

/** A file format for animals. */
export interface Format {
  readonly name: 'csv' | 'ndjson'
  /** The beginning of a file, before the first animal. */
  readonly header: string
  /** Whether rows have the name of the category, too. */
  readonly hasCategoryName?: boolean
  /** The row of an animal, with its line end. */
  encode(pet: Pet, categoryName?: string): string
  reader(): RowReader
}

/** One row of a file: an animal, or the reason why it is rejected. */
export type Row = (RowText & { pet: RowPet }) | Reject

interface RowText {
  /** Where the row begins, counted from 1. */
  line: number
  /** The row as it is in the file, without its line end: a character for each byte (bytes.ts). */
  original: string
}

export interface Reject extends RowText {
  /** One or more sentences. */
  reason: string
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
  /** What precedes the rows, as it is in the file. Available after the first row. */
  header(): string
  /** The beginning of the rejects file. Available after the first row. */
  rejectsHeader(): Buffer
  encodeReject(reject: Reject): Buffer
}
