import { createWriteStream } from 'node:fs'
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
import { openProgress } from './progress.ts'
import { Failure } from '../shared/failure.ts'
import { withStorage } from '../shared/with-storage.ts'

export interface ExportOptions extends Record<keyof (typeof Filters)['properties'], string | undefined> {
  format?: string
}

const { name, categoryId } = ListPetsQuery.properties
const Filters = Type.Object({
  name,
  status: Type.Optional(Type.Unsafe<StatusFilter>({ type: 'string', enum: [...PetStatus.enum, 'none'] })),
  category: categoryId,
})

const pageSize = 1_000

/** Writes all matching animals, ascending by id, to a file or to standard output. */
export async function exportAnimals(file: string | undefined, options: ExportOptions): Promise<void> {
  const format = chooseFormat(options.format, file)
  const filter = filterOf(options)
  const start = performance.now()
  await withStorage('Animals', async ({ pets }) => {
    // Matches of a name are not counted.
    const total = filter.name === undefined ? Number(await pets.count(filter)) : undefined
    // No progress line between animals on the same terminal.
    const progress = file === undefined && process.stdout.isTTY ? undefined : openProgress(process.stderr)
    let animals = 0
    async function* text(): AsyncGenerator<string> {
      for await (const part of encodePets(pets, { format, filter, pageSize })) {
        yield part.text
        animals += part.count
        progress?.update(animals, total && Math.min(animals / total, 1))
      }
    }
    try {
      if (file === undefined) return await toStandardOutput(text())
      await writeAtomically(file, (partial) => pipeline(text(), createWriteStream(partial)))
    } finally {
      progress?.clear()
    }
    process.stdout.write(`Exported ${amount(animals, 'animal')} to ${file} in ${seconds(performance.now() - start)}.\n`)
  })
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
