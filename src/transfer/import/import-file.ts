import { type ImportResult, maxListedRejects } from '../../contract/import-result.ts'
import { PetStoreError } from '../../inventory/errors.ts'
import type { ImportedPet, ImportedPets, Imports } from '../../inventory/imports.ts'
import { loopSteps } from '../../inventory/loop-steps.ts'
import type { Reject, Row, RowReader } from '../formats/format.ts'
import { type Batch, emptyBatch } from './batch.ts'
import { type BatchLimits, holdRows } from './held-rows.ts'
import { type AllOrNothingLimits, ImportStopped, KeyInUse, NothingAdded, tooManyPets } from './import-errors.ts'
import { type ImportCounts, type ImportProgress, noCounts } from './import-progress.ts'
import { type ImportTarget, openImportTarget } from './import-target.ts'
import { openNamedCategories } from './named-categories.ts'
import { readAhead } from './read-ahead.ts'

export interface ImportOptions {
  imports: Pick<Imports, 'add' | 'findCategories' | 'findByDigest'>
  /** The import that the file is a part of, and whose it is. Undefined for a dry run without a name. */
  target: ImportTarget | undefined
  reader: RowReader
  /** Of a batch. */
  limits: BatchLimits
  /**
   * Whether one rejected row means that no pet is added. The rest is still read, so that all rejects are reported. All
   * batches are one transaction: pets wait in the database. With a maximum they wait in memory, and more are refused.
   */
  allOrNothing?: boolean | AllOrNothingLimits
  /** Whether to make categories that the file names and the shop lacks. Otherwise their rows are rejected. */
  createCategories?: boolean
  /** Whether to tell what an import would do, without doing it. It has no progress. */
  dryRun?: boolean
  /** Undefined without an idempotency key. */
  progress: ImportProgress | undefined
  author: string
  /** Whether the next batch is read while one is being added: a source that waits delays the error of that batch. */
  readsAhead?: boolean
  /** Called before each batch is added. A rejection ends the import. */
  beforeBatch?(): Promise<void>
  onReject?(reject: Reject): void
  /** The size of the file that `onReject` writes. */
  rejectsBytes?(): number
  /** Called now and then with the number of pets that were read, apart from those that were added before. */
  onRead?(pets: number): void
}

/**
 * Adds the pets of a file by the rules of createPet, in batches. A row is rejected if its category is not found. Throws
 * an ImportStopped, and nothing else.
 */
export async function importFile(pieces: AsyncIterable<Buffer>, options: ImportOptions): Promise<ImportResult> {
  const { imports, target, reader, limits, allOrNothing = false, progress, author } = options
  const { readsAhead = false, dryRun = false } = options
  const { beforeBatch, onReject, onRead, rejectsBytes, createCategories: create = false } = options
  const whole = typeof allOrNothing === 'object' ? allOrNothing : undefined
  const before = progress?.counts ?? noCounts
  const rejects = [...before.rejects]
  const held = holdRows(limits)
  const own = openImportTarget(target, { isResumed: (progress?.done ?? 0) > 0, rejected: before.rejected })
  const named = openNamedCategories({ imports, create, madeBefore: before.made })
  let rows = 0
  let { added, rejected } = before
  /** With those that are not added yet. */
  let read = added
  let unknown = 0
  let batch = emptyBatch()

  async function* batches(): AsyncGenerator<Batch> {
    for await (const piece of pieces) {
      yield* fullBatches(reader.push(piece))
      onRead?.(read - before.added)
    }
    yield* fullBatches(reader.end())
    progress?.end()
    if (progress?.result !== undefined) return
    await settleRows()
    if (!isRefused() && (rows > 0 || progress !== undefined)) yield cutBatch(true)
  }

  async function* fullBatches(found: Iterable<Row>): AsyncGenerator<Batch> {
    const steps = loopSteps()
    for (const row of found) {
      if (rows++ === 0) progress?.begin(reader.header())
      progress?.take(row.original)
      if ('pet' in row) own.take(row.pet)
      if (rows > (progress?.done ?? 0)) held.add(row)
      if (held.isFull()) {
        await settleRows()
        if (batch.pets.length === 0) named.take()
        else if (whole === undefined) yield cutBatch()
      }
      if (steps.isOver()) await steps.next()
    }
  }

  /** Looks up the categories of the rows that wait, and puts their pets into the batch. */
  async function settleRows(): Promise<void> {
    await named.find(held.categoryNames())
    const steps = loopSteps()
    for (const row of held.take()) {
      const pet = 'pet' in row ? named.settle(row.pet) : row.reason
      if (typeof pet === 'string') reject({ ...(row as Reject), reason: pet })
      else if (!isRefused()) collect(pet)
      if (steps.isOver()) await steps.next()
    }
    if (!isRefused()) return
    batch = emptyBatch()
    named.take()
  }

  function reject({ line, reason, original }: Reject): void {
    rejected++
    if (rejects.length < maxListedRejects) rejects.push({ line, message: reason })
    onReject?.({ line, reason, original })
  }

  function isRefused(): boolean {
    return allOrNothing !== false && rejected > 0
  }

  function collect(pet: ImportedPet): void {
    read++
    batch.pets.push(pet)
    batch.characters += pet.name.length
    if (whole !== undefined && (batch.pets.length > whole.maxPets || batch.characters > whole.maxCharacters))
      throw tooManyPets(whole)
  }

  function cutBatch(isLast = false): Batch {
    const cut = batch
    batch = emptyBatch()
    // If all batches are one transaction, the last one has the step and the categories of all.
    if (!isLast && allOrNothing !== false) return cut
    const made = before.made + named.newNames().length
    const counts: ImportCounts = {
      added: read,
      rejected,
      rejects,
      made,
      ...own.importId,
      ...(rejectsBytes && { rejectsBytes: rejectsBytes() }),
    }
    return {
      ...cut,
      categories: named.take(),
      step: progress?.step(counts, isLast ? { ...own.importId, added: read, rejected, rejects } : undefined),
      part: own.part(rejected, isLast),
    }
  }

  /** Adds pets in one transaction. */
  async function add(pets: ImportedPets, last: () => Batch | undefined, count: () => number): Promise<void> {
    try {
      await beforeBatch?.()
      const isAdded = await imports.add(
        pets,
        () => last()?.step,
        author,
        () => last()?.categories ?? [],
        () => last()?.part,
      )
      if (!isAdded) throw new KeyInUse()
      added += count()
    } catch (error) {
      if (error instanceof PetStoreError && error.mayHaveSucceeded) unknown = count()
      throw error
    }
  }

  async function addAll(all: AsyncIterable<Batch>): Promise<void> {
    let count = 0
    let last: Batch | undefined
    async function* parts(): AsyncGenerator<ImportedPet[]> {
      for await (last of all) {
        count += last.pets.length
        yield last.pets
      }
      if (isRefused()) throw new NothingAdded()
    }
    await add(
      parts(),
      () => last,
      () => count,
    )
  }

  async function addEach(all: AsyncIterable<Batch>): Promise<void> {
    for await (const one of all)
      await add(
        one.pets,
        () => one,
        () => one.pets.length,
      )
  }

  async function addNone(all: AsyncIterable<Batch>): Promise<ImportResult> {
    for await (const _ of all) await beforeBatch?.()
    const [toAdd, newCategories] = isRefused() ? [0, []] : [read, named.newNames()]
    const earlier = await own.earlier(imports)
    return { added: toAdd, rejected, rejects, newCategories, ...(earlier && { earlier }) }
  }

  try {
    const all = readsAhead ? readAhead(batches()) : batches()
    if (dryRun) return await addNone(all)
    await (allOrNothing === true ? addAll(all) : addEach(all))
  } catch (error) {
    if (!(error instanceof NothingAdded)) throw new ImportStopped(error, added, unknown)
  }
  return progress?.result ?? { ...own.importId, added, rejected, rejects }
}
