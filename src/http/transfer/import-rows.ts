import { type ImportResult, maxAllOrNothing, maxListedRejects, type RejectedRow } from '../../contract/import-result.ts'
import type { NewPet } from '../../contract/pet.ts'
import { internal, PetStoreError } from '../../inventory/errors.ts'
import { loopSteps } from '../../inventory/loop-steps.ts'
import { indexCost } from '../../inventory/name-words.ts'
import type { Imports } from '../../inventory/imports.ts'
import { type Format, InvalidFile, type Row } from '../../transfer/formats/format.ts'
import type { ImportProgress } from './import-progress.ts'

export interface ImportRowsOptions {
  imports: Imports
  format: Format
  allOrNothing: boolean
  /** Undefined without an idempotency key. */
  progress: ImportProgress | undefined
  author: string
  /** Called before each batch is added. A rejection ends the import. */
  beforeBatch(): Promise<void>
}

/**
 * As a multiple of a pet with a short name. Small, so that other writes do not wait for a batch, nor the event loop for
 * its copy to another thread.
 */
const maxBatchCost = 2_000
/** A batch with this many characters in its names is full. */
const maxBatchCharacters = 1024 * 1024
/** All or nothing is one batch, and in memory until the end of the file. */
const maxAllOrNothingCharacters = 2 * 1024 * 1024

/** Adds the pets of a file in batches, by the rules of the command line. */
export async function importRows(pieces: AsyncIterable<Buffer>, options: ImportRowsOptions): Promise<ImportResult> {
  const { imports, format, allOrNothing, progress, author, beforeBatch } = options
  const reader = format.reader()
  const rejects: RejectedRow[] = []
  let rows = 0
  let rejected = 0
  let added = 0
  let batch: NewPet[] = []
  let characters = 0
  let cost = 0

  async function take(found: Iterable<Row>): Promise<void> {
    const steps = loopSteps()
    for (const row of found) {
      rows++
      progress?.take(row)
      if ('reason' in row) reject(row.line, row.reason)
      else if (progress !== undefined && rows <= progress.done) added++
      else if (!isRefused()) collect(row.pet)
      if (steps.isOver()) await steps.next()
    }
    if (allOrNothing) refuseTooMany()
    else if (cost >= maxBatchCost || characters >= maxBatchCharacters) await addBatch(false)
  }

  function reject(line: number, message: string): void {
    rejected++
    if (rejects.length < maxListedRejects) rejects.push({ line, message })
    if (isRefused()) batch = []
  }

  function isRefused(): boolean {
    return allOrNothing && rejected > 0
  }

  function collect(pet: NewPet): void {
    batch.push(pet)
    characters += pet.name.length
    cost += 1 + indexCost(pet.name)
  }

  function refuseTooMany(): void {
    if (batch.length <= maxAllOrNothing && characters <= maxAllOrNothingCharacters) return
    throw new PetStoreError(
      'payload_too_large',
      `The file has too many animals to add all or nothing: the maximum is ${maxAllOrNothing}, and 2 Mi characters in their names.`,
    )
  }

  async function addBatch(isLast: boolean): Promise<void> {
    const pets = batch
    batch = []
    characters = 0
    cost = 0
    const after = added + pets.length
    const step = progress?.step(isLast ? { added: after, rejected, rejects } : undefined)
    await beforeBatch()
    if (!(await imports.add(pets, step, author))) throw inUse()
    added = after
  }

  try {
    for await (const piece of pieces) await take(reader.push(piece))
    await take(reader.end())
    progress?.end()
    if (progress?.result !== undefined) return progress.result
    if (!isRefused() && (batch.length > 0 || progress !== undefined)) await addBatch(true)
    return { added, rejected, rejects }
  } catch (error) {
    throw explain(error, added, progress !== undefined)
  }
}

function inUse(): PetStoreError {
  return new PetStoreError('conflict', 'Another request with this Idempotency-Key is in flight; try again.', {
    retryAfterSeconds: 1,
  })
}

/** Adds to an error what became of the file so far. */
function explain(error: unknown, added: number, isKeyed: boolean): unknown {
  if (error instanceof InvalidFile)
    return explain(new PetStoreError('invalid_body', error.message, { fields: [] }), added, isKeyed)
  if (!(error instanceof PetStoreError)) return explain(internal(error), added, isKeyed)
  if (error.code === 'idempotency_mismatch') return error
  const { code, message, retryAfterSeconds, fields, cause, mayHaveSucceeded } = error
  const known = added === 0 ? 'No animals were added' : `${added} ${added === 1 ? 'animal was' : 'animals were'} added`
  const unknown = mayHaveSucceeded ? '; it is unknown whether the next ones were' : ''
  const retry = isKeyed ? ' Send the whole file with the same Idempotency-Key to add the rest.' : ''
  return new PetStoreError(code, `${message} ${known}${unknown}.${retry}`, {
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    fields,
    cause,
  })
}
