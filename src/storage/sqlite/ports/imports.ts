import type { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../../../inventory/clock.ts'
import type { CategoryMatch } from '../../../inventory/category-names.ts'
import { unavailable } from '../../../inventory/errors.ts'
import type { ImportedPet, Imports } from '../../../inventory/imports.ts'
import { loopSteps } from '../../../inventory/loop-steps.ts'
import { randomText } from '../../../inventory/random-text.ts'
import { lastExpired } from '../../../inventory/rules/idempotency.ts'
import type { ImportHistory } from '../../shared/ports/import-history.ts'
import { categoryError } from '../../shared/writes/import-categories.ts'
import { ImportRefused } from '../../../inventory/rules/add-import-part.ts'
import { partsOf, storedStepSql, toStoredStep } from '../../shared/writes/import-steps.ts'
import { prepareRows, readsOf } from '../connection/database.ts'
import { prepareCategoryMatch } from '../reads/category-names.ts'
import type { Writer } from '../writes/writer.ts'

/**
 * A batch touches most pages of the indexes by category and status, and writes each of them whole, so larger batches
 * write less. The minimum limits that on a slow machine, the maximum limits memory.
 */
const minBatchSize = 10_000
const maxBatchSize = 50_000
/** The target duration of a batch: other writers wait for it. */
const batchTimeMs = 300
/**
 * More pets than this are staged, this many at a time: the event loop copies them to the writer thread, and staging
 * takes no write lock, so that others can write meanwhile.
 */
const maxCopied = 5_000
const discardRetryMs = 250

export type ImportAdding = Omit<Imports, keyof ImportHistory>

export function sqliteImports(reader: DatabaseSync, writer: Writer, clock: Clock): ImportAdding {
  const read = readsOf(reader)
  const byKey = prepareRows<[fingerprint: string, body: string]>(
    reader,
    storedStepSql((number) => `?${number}`),
  )
  const matchOf = prepareCategoryMatch(reader)
  let batchSize = minBatchSize

  function discard(staging: string): Promise<boolean> {
    return writer.write('discardStagedPets', staging).then(
      () => true,
      () => false,
    )
  }

  /** A writer that cannot keep up refuses it, and the pets would stay until the process ends. */
  async function discardLater(staging: string): Promise<void> {
    do await sleep(discardRetryMs, undefined, { ref: false })
    while (reader.isOpen && !(await discard(staging)))
  }

  return {
    get batchSize() {
      return batchSize
    },
    async add(pets, step, author, categories, part) {
      const staging = randomText(12)
      let staged = 0
      /** Also if the outcome is unknown. */
      let hasStaged = false
      let rest: readonly ImportedPet[] = []
      try {
        for await (const part of partsOf(pets)) {
          for (let start = 0; start < part.length; start += maxCopied) {
            await stageRest()
            rest = part.slice(start, start + maxCopied)
          }
        }
        if (staged > 0) await stageRest()
        const at = clock()
        const last = { step: step?.(), categories: categories?.(), part: part?.() }
        const added = await writer.write('importPets', { staging, staged, pets: rest, ...last, at, author })
        if (added === 'lost') throw unavailable(`Some of the ${staged} staged animals were lost.`)
        if (typeof added === 'string') throw categoryError(added)
        if (typeof added === 'object') throw new ImportRefused(added.refusal)
        batchSize = nextBatchSize(staged + rest.length, clock() - at)
        return added
      } catch (error) {
        if (hasStaged && !(await discard(staging))) void discardLater(staging)
        throw error
      }

      async function stageRest(): Promise<void> {
        hasStaged ||= rest.length > 0
        if (rest.length > 0) await writer.write('stagePets', { staging, pets: rest })
        staged += rest.length
        rest = []
      }
    },
    async findCategories(names) {
      const steps = loopSteps()
      const matches: CategoryMatch[] = []
      for (const name of names) {
        matches.push(await read(() => matchOf(name)))
        if (steps.isOver()) await steps.next()
      }
      return matches
    },
    forget: () => writer.write('forgetImports', { now: clock() }),
    stepOf: (key) => read(() => toStoredStep(byKey.get(key.keyId, key.name, lastExpired(key, clock())))),
  }
}

/** The number of pets that take `batchTimeMs`, if `count` took `tookMs`, which may be less than a millisecond. */
function nextBatchSize(count: number, tookMs: number): number {
  const size = Math.round((count * batchTimeMs) / Math.max(tookMs, 1))
  return Math.min(Math.max(size, minBatchSize), maxBatchSize)
}
