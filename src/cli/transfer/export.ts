import { createWriteStream, statSync } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { checker } from '../../contract/checker.ts'
import { ListPetsQuery } from '../../contract/operations/pets.ts'
import { PetStatus } from '../../contract/pet.ts'
import { Type } from '../../contract/schema.ts'
import type { PetFilter, StatusFilter } from '../../inventory/pets.ts'
import { writeAtomically } from '../../storage/shared/atomic-file.ts'
import { amount, seconds } from './format-numbers.ts'
import { chooseFormat } from './choose-format.ts'
import { encodePets } from '../../transfer/encode-pets.ts'
import { csvFormat } from '../../transfer/formats/csv.ts'
import { separatorNames } from '../../transfer/formats/csv-record.ts'
import type { Format } from '../../transfer/formats/format.ts'
import { openProgress } from './progress.ts'
import { Failure } from '../shared/failure.ts'
import { databaseOf, withStorage } from '../shared/with-storage.ts'

export interface ExportOptions extends Record<keyof (typeof Filters)['properties'], string | undefined> {
  format?: string
  spreadsheet?: boolean
  separator?: string
}

const { name, categoryId } = ListPetsQuery.properties
const Filters = Type.Object({
  name,
  status: Type.Optional(Type.Unsafe<StatusFilter>({ type: 'string', enum: [...PetStatus.enum, 'none'] })),
  category: categoryId,
})

const pageSize = 1_000

/**
 * Writes all matching animals, ascending by id, to a file or to standard output. An existing file is replaced, but not by
 * one without animals.
 */
export async function exportAnimals(file: string | undefined, options: ExportOptions): Promise<void> {
  const format = formatOf(file, options)
  const filter = filterOf(options)
  const start = performance.now()
  await withStorage('Animals', async ({ pets, categories }, config) => {
    const database = databaseOf(config)
    // Matches of a name are not counted.
    const total = filter.name === undefined ? Number(await pets.count(filter)) : undefined
    // No progress line between animals on the same terminal.
    const progress = file === undefined && process.stdout.isTTY ? undefined : openProgress(process.stderr)
    let animals = 0
    async function* text(): AsyncGenerator<string> {
      for await (const part of encodePets(pets, { format, filter, pageSize, categories })) {
        yield part.text
        animals += part.count
        progress?.update(animals, total && Math.min(animals / total, 1))
      }
    }
    try {
      if (file === undefined) return await toStandardOutput(text())
      const refuseNothing = async () => {
        if (animals > 0 || !isFilled(file)) return
        throw new Failure(`There are no such animals in ${database}: ${file} is left as it is. Remove it first.`)
      }
      const write = (partial: string) => pipeline(text(), createWriteStream(partial))
      await writeAtomically(file, write, { beforeRename: refuseNothing })
    } finally {
      progress?.clear()
    }
    const took = seconds(performance.now() - start)
    process.stdout.write(`Exported ${amount(animals, 'animal')} from ${database} to ${file} in ${took}.\n`)
  })
}

function formatOf(file: string | undefined, { format, spreadsheet = false, separator }: ExportOptions): Format {
  const chosen = chooseFormat(format, file)
  if (!spreadsheet && separator === undefined) return chosen
  if (chosen.name !== 'csv') throw new Failure('--spreadsheet and --separator are for CSV: add --format csv.')
  if (separator !== undefined && !Object.hasOwn(separatorNames, separator))
    throw new Failure(`--separator must be comma, semicolon or tab, got "${separator}".`)
  const name = (separator ?? 'comma') as keyof typeof separatorNames
  return csvFormat({ separator: separatorNames[name], isForSpreadsheet: spreadsheet })
}

function isFilled(file: string): boolean {
  return (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 0
}

function filterOf({ name, status, category }: ExportOptions): PetFilter {
  const checked = checker(Filters, 'text')({ name, status, category })
  if ('faults' in checked) throw new Failure(`--${checked.faults}`)
  const { category: categoryId, ...filter } = checked.value
  return { ...filter, ...(categoryId !== undefined && { categoryId }) }
}

async function toStandardOutput(text: AsyncIterable<string>): Promise<void> {
  try {
    await pipeline(text, process.stdout, { end: false })
  } catch (error) {
    // main.ts reports errors of standard output.
    if ((error as NodeJS.ErrnoException).syscall !== 'write') throw error
  }
}
