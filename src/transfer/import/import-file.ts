import { type ImportResult, maxListedRejects, type RejectedRow } from '../../contract/import-result.ts'
import type { NewPet } from '../../contract/pet.ts'
import { PetStoreError } from '../../inventory/errors.ts'
import type { ImportedPets, Imports, ImportStep } from '../../inventory/imports.ts'
import { loopSteps } from '../../inventory/loop-steps.ts'
import { indexCost } from '../../inventory/name-words.ts'
import type { Reject, Row, RowReader } from '../formats/format.ts'
import type { ImportProgress } from './import-progress.ts'
import { readAhead } from './read-ahead.ts'

export interface ImportOptions {
  imports: Imports
  reader: RowReader
  /** Of a batch. */
  limits: BatchLimits
  /**
   * Whether one rejected row means that no pet is added. The rest is still read, so that all rejects are reported. All
   * batches are one transaction: pets wait in the database. With a maximum they wait in memory, and more are refused.
   */
  allOrNothing?: boolean | AllOrNothingLimits
  /** Undefined without an idempotency key. */
  progress: ImportProgress | undefined
  author: string
  /** Whether the next batch is read while one is being added: a source that waits delays the error of that batch. */
  readsAhead?: boolean
  /** Called before each batch is added. A rejection ends the import. */
  beforeBatch?(): Promise<void>
  onReject?(reject: Reject): void
  /** Called now and then with the number of pets that were read, apart from those that were added before. */
  onRead?(pets: number): void
}

export interface BatchLimits {
  /** As a multiple of a pet with a short name. */
  maxCost: number
  /** Of the names: a batch is in memory here and in the database. */
  maxCharacters: number
}

export interface AllOrNothingLimits {
  maxPets: number
  maxCharacters: number
}

/** An import that ended early; `cause` is why. */
export class ImportStopped extends Error {
  override readonly name = 'ImportStopped'
  /** The number of pets on disk, also those that an earlier import with the same key has added. */
  readonly added: number
  /** The number of further pets with an unknown outcome. */
  readonly unknown: number

  constructor(cause: unknown, added: number, unknown: number) {
    super('The import ended early.', { cause })
    this.added = added
    this.unknown = unknown
  }
}

/** Another import with the same idempotency key was faster: it counts the pets. */
export class KeyInUse extends PetStoreError {
  constructor() {
    super('conflict', 'Another request with this Idempotency-Key is in flight; try again.', { retryAfterSeconds: 1 })
  }
}

interface Batch {
  pets: NewPet[]
  characters: number
  cost: number
  step?: ImportStep | undefined
}

/** A row was rejected, so nothing is added. */
class NothingAdded extends Error {}

/** Adds the pets of a file by the rules of createPet, in batches. Throws an ImportStopped, and nothing else. */
export async function importFile(pieces: AsyncIterable<Buffer>, options: ImportOptions): Promise<ImportResult> {
  const { imports, reader, limits, allOrNothing = false, progress, author, readsAhead = false } = options
  const { beforeBatch, onReject, onRead } = options
  const whole = typeof allOrNothing === 'object' ? allOrNothing : undefined
  const rejects: RejectedRow[] = []
  let rows = 0
  let rejected = 0
  let read = progress?.added ?? 0
  let added = read
  let unknown = 0
  let batch = emptyBatch()

  async function* batches(): AsyncGenerator<Batch> {
    for await (const piece of pieces) {
      yield* fullBatches(reader.push(piece))
      onRead?.(read - (progress?.added ?? 0))
    }
    yield* fullBatches(reader.end())
    progress?.end()
    if (progress?.result !== undefined || isRefused()) return
    if (batch.pets.length > 0 || progress !== undefined) yield cutBatch({ added: read, rejected, rejects })
  }

  async function* fullBatches(found: Iterable<Row>): AsyncGenerator<Batch> {
    const steps = loopSteps()
    for (const row of found) {
      if (rows++ === 0) progress?.begin(reader.header())
      progress?.take(row.original)
      if ('reason' in row) reject(row)
      else if (rows > (progress?.done ?? 0) && !isRefused()) collect(row.pet)
      if (isFull()) yield cutBatch()
      if (steps.isOver()) await steps.next()
    }
  }

  function reject(row: Reject): void {
    rejected++
    if (rejects.length < maxListedRejects) rejects.push({ line: row.line, message: row.reason })
    if (isRefused()) batch = emptyBatch()
    onReject?.(row)
  }

  function isRefused(): boolean {
    return allOrNothing !== false && rejected > 0
  }

  function collect(pet: NewPet): void {
    read++
    batch.pets.push(pet)
    batch.characters += pet.name.length
    batch.cost += 1 + indexCost(pet.name)
    if (whole !== undefined && (batch.pets.length > whole.maxPets || batch.characters > whole.maxCharacters))
      throw tooMany(whole)
  }

  function isFull(): boolean {
    return whole === undefined && (batch.cost >= limits.maxCost || batch.characters >= limits.maxCharacters)
  }

  function cutBatch(result?: ImportResult): Batch {
    const cut = batch
    batch = emptyBatch()
    // If all batches are one transaction, the last one has the step of all.
    if (result !== undefined || allOrNothing === false) cut.step = progress?.step(read, result)
    return cut
  }

  /** Adds pets in one transaction. */
  async function add(pets: ImportedPets, step: () => ImportStep | undefined, count: () => number): Promise<void> {
    try {
      await beforeBatch?.()
      if (!(await imports.add(pets, step, author))) throw new KeyInUse()
      added += count()
    } catch (error) {
      if (error instanceof PetStoreError && error.mayHaveSucceeded) unknown = count()
      throw error
    }
  }

  async function addAll(all: AsyncIterable<Batch>): Promise<void> {
    let count = 0
    let last: Batch | undefined
    async function* parts(): AsyncGenerator<NewPet[]> {
      for await (last of all) {
        count += last.pets.length
        yield last.pets
      }
      if (isRefused()) throw new NothingAdded()
    }
    await add(
      parts(),
      () => last?.step,
      () => count,
    )
  }

  async function addEach(all: AsyncIterable<Batch>): Promise<void> {
    for await (const { pets, step } of all)
      await add(
        pets,
        () => step,
        () => pets.length,
      )
  }

  try {
    const all = readsAhead ? readAhead(batches()) : batches()
    await (allOrNothing === true ? addAll(all) : addEach(all))
  } catch (error) {
    if (!(error instanceof NothingAdded)) throw new ImportStopped(error, added, unknown)
  }
  return progress?.result ?? { added, rejected, rejects }
}

function emptyBatch(): Batch {
  return { pets: [], characters: 0, cost: 0 }
}

function tooMany({ maxPets, maxCharacters }: AllOrNothingLimits): PetStoreError {
  return new PetStoreError(
    'payload_too_large',
    `The file has too many animals to add all or nothing: the maximum is ${maxPets}, and ` +
      `${maxCharacters / 1024 ** 2} Mi characters in their names.`,
  )
}
