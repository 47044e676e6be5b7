import { existsSync, realpathSync } from 'node:fs'
import { PetStoreError } from '../../inventory/errors.ts'
import type { Imports } from '../../inventory/imports.ts'
import { amount, grouped, seconds } from './format.ts'
import { Failure } from '../failure.ts'
import { chooseFormat } from './formats/choose.ts'
import type { Format } from './formats/format.ts'
import { type FileFacts, type Input, openInput } from './input.ts'
import { openIntake } from './batch-writer.ts'
import { openProgress } from './progress.ts'
import { openRejects } from './rejects.ts'
import { takeIn } from './read-rows.ts'
import { withStorage } from '../with-storage.ts'

export interface ImportOptions {
  format?: string
  allOrNothing?: boolean
  resume?: boolean
  restart?: boolean
  rejects?: string
}

/** In animals. Enough to make its fsync cheap; few enough that nobody waits long for the transaction to end. */
const batchSize = 5_000

/** Adds the animals of a file, or of standard input, by the rules of createPet. Exit code 1 when a row was rejected. */
export async function importAnimals(path: string, options: ImportOptions): Promise<void> {
  if (options.resume && options.restart) throw new Failure('Give --resume or --restart, not both.')
  const format = chooseFormat(options.format, path === '-' ? undefined : path)
  const input = await openInput(path)
  const rejectsPath = options.rejects ?? `${input.file?.path ?? 'petstore-import'}.rejects.${format.name}`
  refuseSameFile(input.file, rejectsPath)

  await withStorage('Animals', async ({ imports }) => {
    const done = await rowsDone(imports, input.file, options)
    if (done === 'all') return say(`Nothing is left to import: ${path} is in to its last row.`)
    const start = performance.now()
    const { added, rejected } = await importRows(imports, input, format, { ...options, done, rejectsPath })
    const took = seconds(performance.now() - start)
    if (rejected === 0) return say(`Added ${amount(added, 'animal')} in ${took}.`)
    const told = options.allOrNothing ? 'Added nothing' : `Added ${amount(added, 'animal')} in ${took}`
    say(`${told}: ${amount(rejected, 'row')} rejected, see ${rejectsPath}.`)
    process.exitCode = 1
  })
  await input.close()
}

interface ImportPlan extends ImportOptions {
  /** How many rows were done at an earlier time. */
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
  const intake = openIntake(imports, { source: file?.digest, done, batchSize: allOrNothing ? Infinity : batchSize })
  try {
    await takeIn({ input, reader, intake, rejects, progress, done, allOrNothing })
    return { added: intake.added, rejected: rejects.count }
  } catch (error) {
    throw explain(error, intake.added, file)
  } finally {
    progress.clear()
    rejects.close()
  }
}

// Opening the file of rejected rows empties it.
function refuseSameFile(file: FileFacts | undefined, rejectsPath: string): void {
  if (file !== undefined && existsSync(rejectsPath) && realpathSync(rejectsPath) === realpathSync(file.path))
    throw new Failure(`The rejected rows cannot go into ${file.path} itself: name another file with --rejects.`)
}

/** With how many rows of the file an import of it may begin as done. */
async function rowsDone(
  imports: Imports,
  file: FileFacts | undefined,
  { resume, restart }: ImportOptions,
): Promise<number | 'all'> {
  if (file === undefined) {
    if (resume) throw new Failure('Only a file can be resumed: what comes through a pipe is gone once it was read.')
    return 0
  }
  const before = await imports.progress(file.digest)
  if (before === undefined) return 0
  if (resume) return before.finished ? 'all' : before.rows
  if (before.finished) return 0
  if (!restart) {
    throw new Failure(
      `An import of ${file.path} ended early, after row ${grouped(before.rows)}: --resume goes on from there, ` +
        '--restart adds those rows once more.',
    )
  }
  await imports.forget(file.digest)
  return 0
}

// What stopped an import in its middle, and what that means for the rows before.
function explain(error: unknown, added: number, file: FileFacts | undefined): unknown {
  const isUnavailable = error instanceof PetStoreError && error.code === 'unavailable'
  if (!isUnavailable && !(error instanceof Failure)) return error
  const told = [isUnavailable ? `The animals cannot be stored (${reason(error)}).` : error.message]
  const next = file === undefined ? '' : '; --resume goes on from there'
  if (added > 0) told.push(`${amount(added, 'animal')} went in before${next}.`)
  return new Failure(told.join(' '))
}

function reason({ cause, message }: PetStoreError): string {
  return cause instanceof Error ? cause.message : message
}

function say(sentence: string): void {
  process.stdout.write(`${sentence}\n`)
}
