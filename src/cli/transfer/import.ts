import { existsSync, realpathSync } from 'node:fs'
import { PetStoreError } from '../../inventory/errors.ts'
import type { ImportResult } from '../../contract/import-result.ts'
import type { Imports } from '../../inventory/imports.ts'
import { amount, grouped, seconds } from './format-numbers.ts'
import { Failure, reasonOf } from '../shared/failure.ts'
import { chooseFormat } from './choose-format.ts'
import { type Format, InvalidFile } from '../../transfer/formats/format.ts'
import { type FileFacts, type Input, openInput } from './input.ts'
import { commandLineKeyId } from '../../inventory/rules/idempotency.ts'
import { ImportRefused } from '../../inventory/rules/add-import-part.ts'
import { type ImportStopped, KeyInUse } from '../../transfer/import/import-errors.ts'
import { importFile } from '../../transfer/import/import-file.ts'
import { type ImportProgress, openImportProgress, storedProgress } from '../../transfer/import/import-progress.ts'
import { importIdFor } from '../../transfer/import/import-target.ts'
import { openProgress } from './progress.ts'
import { openRejects } from './rejects.ts'
import { StorageError } from '../../storage/shared/errors.ts'
import { refuseOwnFile } from '../../storage/shared/own-file.ts'
import { commandLineAuthor } from '../../contract/event.ts'
import { databaseOf, withStorage } from '../shared/with-storage.ts'

export interface ImportOptions {
  format?: string
  allOrNothing?: boolean
  resume?: boolean
  restart?: boolean
  createCategories?: boolean
  dryRun?: boolean
  rejects?: string
}

/**
 * Adds the animals of a file, or of standard input, by the rules of createPet. The exit code is 1 if a row was
 * rejected.
 */
export async function importAnimals(path: string, options: ImportOptions): Promise<void> {
  if ([options.resume, options.restart, options.dryRun].filter(Boolean).length > 1)
    throw new Failure('Give one of --resume, --restart and --dry-run.')
  const format = chooseFormat(options.format, path === '-' ? undefined : path)
  const input = await openInput(path)
  try {
    await importInput(path, input, format, options)
  } finally {
    await input.close()
  }
}

async function importInput(path: string, input: Input, format: Format, options: ImportOptions): Promise<void> {
  const rejectsPath = options.rejects ?? `${input.file?.path ?? 'petstore-import'}.rejects.${format.name}`
  refuseSameFile(input.file, rejectsPath)

  await withStorage('Animals', async ({ imports }, config) => {
    refuseOwnFile(rejectsPath, config.databaseUrl)
    const database = databaseOf(config)
    const progress = await progressOf(imports, input.file, format, options)
    if (progress?.result?.rejected === 0)
      return say(`Nothing to import: all rows of ${path} are already imported into ${database}.`)
    if (progress?.result !== undefined) {
      const rejected = amount(progress.result.rejected, 'row')
      say(`Nothing to import: ${path} is already imported into ${database}, with ${rejected} rejected.`)
      process.exitCode = 1
      return
    }
    const start = performance.now()
    const result = await importRows(imports, input, format, { ...options, progress, rejectsPath })
    const { added, rejected } = result
    if (rejected > 0) process.exitCode = 1
    if (options.dryRun) return say(forecastOf(result, database))
    const took = seconds(performance.now() - start)
    if (rejected === 0) return say(`Added ${amount(added, 'animal')} to ${database} in ${took}.`)
    const summary = options.allOrNothing
      ? `Added nothing to ${database}`
      : `Added ${amount(added, 'animal')} to ${database} in ${took}`
    say(`${summary}: ${amount(rejected, 'row')} rejected, see ${rejectsPath}.`)
  })
}

/** What a dry run says. */
function forecastOf({ added, rejected, newCategories = [] }: ImportResult, database: string): string {
  const rows = rejected === 0 ? '' : `, and reject ${amount(rejected, 'row')}`
  const categories =
    newCategories.length === 0
      ? ''
      : ` New categories: ${newCategories.map((name) => JSON.stringify(name)).join(', ')}.`
  return `This would add ${amount(added, 'animal')} to ${database}${rows}.${categories} Nothing was changed.`
}

interface ImportPlan extends ImportOptions {
  progress: ImportProgress | undefined
  rejectsPath: string
}

/** Of a batch. */
const maxCharacters = 2 * 1024 * 1024

async function importRows(
  imports: Imports,
  input: Input,
  format: Format,
  { progress, rejectsPath, allOrNothing = false, createCategories = false, dryRun = false }: ImportPlan,
): Promise<ImportResult> {
  const { file } = input
  const before = progress?.counts
  const line = openProgress(process.stderr)
  const reader = format.reader()
  const name = await importIdFor(imports, before?.importId)
  const rejects = openRejects({
    path: dryRun ? undefined : rejectsPath,
    reader,
    report(text) {
      line.clear()
      process.stderr.write(`${text}\n`)
    },
    ...(before?.rejectsBytes !== undefined && { bytesBefore: before.rejectsBytes }),
  })
  let bytes = 0
  async function* pieces(): AsyncGenerator<Buffer> {
    for await (const chunk of input.chunks) {
      bytes += chunk.length
      yield chunk
    }
  }
  // A second signal ends the process at once.
  const stop = () => input.chunks.destroy(new Failure('The import was stopped.'))
  process.once('SIGINT', stop).once('SIGTERM', stop)
  try {
    const result = await importFile(pieces(), {
      imports,
      target: { name, keyId: commandLineKeyId, keyName: commandLineKeyId },
      reader,
      limits: {
        get maxCost() {
          return imports.batchSize
        },
        maxCharacters,
      },
      allOrNothing,
      createCategories,
      dryRun,
      progress,
      author: commandLineAuthor,
      readsAhead: true,
      onReject: (reject) => rejects.add(reject),
      rejectsBytes: () => rejects.bytes,
      onRead: (pets) => line.update(pets, file && bytes / file.size),
    })
    return { ...result, added: result.added - (before?.added ?? 0) }
  } catch (error) {
    throw explain(error as ImportStopped, progress, file)
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop)
    line.clear()
    rejects.close()
  }
}

// Opening the rejects file empties it.
function refuseSameFile(file: FileFacts | undefined, rejectsPath: string): void {
  if (file !== undefined && existsSync(rejectsPath) && realpathSync(rejectsPath) === realpathSync(file.path))
    throw new Failure(`The rejected rows cannot be written into ${file.path} itself: name another file with --rejects.`)
}

/** The progress of an import of this file, by its content. Undefined for a pipe, which cannot be read again. */
async function progressOf(
  imports: Imports,
  file: FileFacts | undefined,
  format: Format,
  { resume = false, restart = false, createCategories = false, dryRun = false }: ImportOptions,
): Promise<ImportProgress | undefined> {
  if (dryRun) return undefined
  if (file === undefined) {
    if (resume) throw new Failure('Only a file can be resumed: a pipe cannot be read again.')
    return undefined
  }
  const key = { keyId: commandLineKeyId, name: file.digest }
  const stored = await storedProgress(imports, key)
  const known = stored?.importId === undefined ? undefined : await imports.find(stored.importId)
  const isUndone = known?.undoStartedAt !== undefined
  if (isUndone && resume)
    throw new Failure(`The import of ${file.path} was undone: without --resume all its rows are added.`)
  if (stored !== undefined && stored.result === undefined && !isUndone && !resume && !restart) {
    throw new Failure(
      `An import of ${file.path} was interrupted after row ${grouped(stored.rows)}: --resume continues from there, ` +
        '--restart adds those rows again.',
    )
  }
  // A file that was imported is imported again.
  const kind = createCategories ? `${format.name} create-categories` : format.name
  return openImportProgress({ key, kind, stored, restart: !resume && stored !== undefined })
}

/** Explains why an import stopped, how many rows were added, and what to do next. */
function explain(stopped: ImportStopped, progress: ImportProgress | undefined, file: FileFacts | undefined): Failure {
  const { unknown } = stopped
  const added = stopped.added - (progress?.counts.added ?? 0)
  const sentences = [sentenceOf(stopped.cause)]
  if (added > 0) sentences.push(`${amount(added, 'animal')} added.`)
  else if (unknown === 0) sentences.push('No animals were added.')
  const animals = amount(unknown, added > 0 ? 'more animal' : 'animal')
  if (unknown > 0) sentences.push(`It is unknown whether ${animals} ${unknown === 1 ? 'was' : 'were'} added.`)
  const isBegun = added > 0 || unknown > 0 || (progress?.done ?? 0) > 0
  const canResume = isBegun && file !== undefined && !(stopped.cause instanceof ImportRefused)
  if (canResume) sentences.push('--resume adds the missing rows.')
  return new Failure(sentences.join(' '))
}

function sentenceOf(error: unknown): string {
  if (error instanceof Failure || error instanceof InvalidFile || error instanceof StorageError) return error.message
  if (!(error instanceof PetStoreError)) return `The import ended with an unexpected error: ${String(error)}.`
  if (error instanceof KeyInUse) return 'Another import of the same file is running.'
  if (error.code === 'idempotency_mismatch')
    return 'The rows that are done have changed, or were read in another format or with other options.'
  return `The animals cannot be stored (${reasonOf(error)}).`
}

function say(sentence: string): void {
  process.stdout.write(`${sentence}\n`)
}
