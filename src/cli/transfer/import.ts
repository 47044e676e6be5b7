import { existsSync, realpathSync } from 'node:fs'
import { PetStoreError } from '../../inventory/errors.ts'
import type { Imports } from '../../inventory/imports.ts'
import { amount, grouped, seconds } from './format-numbers.ts'
import { Failure, reasonOf } from '../shared/failure.ts'
import { chooseFormat } from './choose-format.ts'
import { type Format, InvalidFile } from '../../transfer/formats/format.ts'
import { type FileFacts, type Input, openInput } from './input.ts'
import { type BatchWriter, openBatchWriter } from './batch-writer.ts'
import { openProgress } from './progress.ts'
import { openRejects } from './rejects.ts'
import { readRows } from './read-rows.ts'
import { StorageError } from '../../storage/shared/errors.ts'
import { commandLine } from '../shared/command-line.ts'
import { databaseOf, withStorage } from '../shared/with-storage.ts'

export interface ImportOptions {
  format?: string
  allOrNothing?: boolean
  resume?: boolean
  restart?: boolean
  rejects?: string
}

/**
 * Adds the animals of a file, or of standard input, by the rules of createPet. The exit code is 1 if a row was
 * rejected.
 */
export async function importAnimals(path: string, options: ImportOptions): Promise<void> {
  if (options.resume && options.restart) throw new Failure('Give --resume or --restart, not both.')
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
    const database = databaseOf(config)
    const done = await rowsDone(imports, input.file, options)
    if (done === 'all') return say(`Nothing to import: all rows of ${path} are already imported into ${database}.`)
    const start = performance.now()
    const { added, rejected } = await importRows(imports, input, format, { ...options, done, rejectsPath })
    const took = seconds(performance.now() - start)
    if (rejected === 0) return say(`Added ${amount(added, 'animal')} to ${database} in ${took}.`)
    const summary = options.allOrNothing
      ? `Added nothing to ${database}`
      : `Added ${amount(added, 'animal')} to ${database} in ${took}`
    say(`${summary}: ${amount(rejected, 'row')} rejected, see ${rejectsPath}.`)
    process.exitCode = 1
  })
}

interface ImportPlan extends ImportOptions {
  /** The number of rows done by an earlier import. */
  done: number
  rejectsPath: string
}

async function importRows(
  imports: Imports,
  input: Input,
  format: Format,
  { done, rejectsPath, allOrNothing = false }: ImportPlan,
): Promise<{ added: number; rejected: number }> {
  const { file } = input
  const progress = openProgress(process.stderr)
  const reader = format.reader()
  const rejects = openRejects(rejectsPath, reader, (line) => {
    progress.clear()
    process.stderr.write(`${line}\n`)
  })
  const writer = openBatchWriter(imports, { source: file?.digest, done, allOrNothing, author: commandLine })
  // A second signal ends the process at once.
  const stop = () => input.chunks.destroy(new Failure('The import was stopped.'))
  process.once('SIGINT', stop).once('SIGTERM', stop)
  try {
    await readRows({ input, reader, writer, rejects, progress, done, allOrNothing })
    return { added: writer.added, rejected: rejects.count }
  } catch (error) {
    throw explain(error, { ...writer, done, file })
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop)
    progress.clear()
    rejects.close()
  }
}

// Opening the rejects file empties it.
function refuseSameFile(file: FileFacts | undefined, rejectsPath: string): void {
  if (file !== undefined && existsSync(rejectsPath) && realpathSync(rejectsPath) === realpathSync(file.path))
    throw new Failure(`The rejected rows cannot be written into ${file.path} itself: name another file with --rejects.`)
}

/** The number of rows that an earlier import of this file has already done. */
async function rowsDone(
  imports: Imports,
  file: FileFacts | undefined,
  { resume, restart }: ImportOptions,
): Promise<number | 'all'> {
  if (file === undefined) {
    if (resume) throw new Failure('Only a file can be resumed: a pipe cannot be read again.')
    return 0
  }
  const before = await imports.progress(file.digest)
  if (before === undefined) return 0
  if (resume) return before.finished ? 'all' : before.rows
  if (before.finished) return 0
  if (!restart) {
    throw new Failure(
      `An import of ${file.path} was interrupted after row ${grouped(before.rows)}: --resume continues from there, ` +
        '--restart adds those rows again.',
    )
  }
  await imports.forget(file.digest)
  return 0
}

interface Stopped extends Pick<BatchWriter, 'added' | 'unknown'> {
  /** The number of rows done by an earlier import. */
  done: number
  file: FileFacts | undefined
}

/** Explains why an import stopped, how many rows were added, and what to do next. */
function explain(error: unknown, { added, unknown, done, file }: Stopped): Failure {
  const sentences = [sentenceOf(error)]
  if (added > 0 || unknown === 0)
    sentences.push(added === 0 ? 'No animals were added.' : `${amount(added, 'animal')} added.`)
  if (unknown > 0)
    sentences.push(
      `It is unknown whether ${amount(unknown, added > 0 ? 'more animal' : 'animal')} ${unknown === 1 ? 'was' : 'were'} added.`,
    )
  const isBegun = added > 0 || unknown > 0 || done > 0
  if (isBegun && file !== undefined) sentences.push('--resume adds the missing rows.')
  return new Failure(sentences.join(' '))
}

function sentenceOf(error: unknown): string {
  if (error instanceof Failure || error instanceof InvalidFile || error instanceof StorageError) return error.message
  if (!(error instanceof PetStoreError)) return `The import ended with an unexpected error: ${String(error)}.`
  return `The animals cannot be stored (${reasonOf(error)}).`
}

function say(sentence: string): void {
  process.stdout.write(`${sentence}\n`)
}
