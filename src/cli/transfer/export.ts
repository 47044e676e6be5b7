import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import type { Pets } from '../../inventory/pets.ts'
import { writeAtomically } from '../../storage/shared/atomic-file.ts'
import { amount, seconds } from './format-numbers.ts'
import { chooseFormat } from './formats/choose.ts'
import type { Format } from './formats/format.ts'
import { openProgress } from './progress.ts'
import { withStorage } from '../shared/with-storage.ts'

export interface ExportOptions {
  format?: string
}

const pageSize = 1_000

/** Writes all animals, ascending by id, to a file or to standard output. */
export async function exportAnimals(file: string | undefined, options: ExportOptions): Promise<void> {
  const format = chooseFormat(options.format, file)
  const start = performance.now()
  await withStorage('Animals', async ({ pets }) => {
    const total = Number(await pets.count({}))
    // No progress line between animals on the same terminal.
    const progress = file === undefined && process.stdout.isTTY ? undefined : openProgress(process.stderr)
    let animals = 0
    const text = encoded(pets, format, (count) => {
      animals = count
      progress?.update(count, Math.min(count / total, 1))
    })
    try {
      if (file === undefined) return await toStandardOutput(text)
      await writeAtomically(file, (partial) => pipeline(text, createWriteStream(partial)))
    } finally {
      progress?.clear()
    }
    process.stdout.write(`Exported ${amount(animals, 'animal')} to ${file} in ${seconds(performance.now() - start)}.\n`)
  })
}

async function toStandardOutput(text: AsyncIterable<string>): Promise<void> {
  try {
    await pipeline(text, process.stdout, { end: false })
  } catch (error) {
    // main.ts reports errors of standard output.
    if ((error as NodeJS.ErrnoException).syscall !== 'write') throw error
  }
}

/** Reads one page after the other, so that memory does not grow with the number of animals. */
async function* encoded(pets: Pets, format: Format, count: (animals: number) => void): AsyncGenerator<string> {
  if (format.header !== '') yield format.header
  let animals = 0
  let after = 0n
  for (let more = true; more; ) {
    const page = await pets.list({}, pageSize, after)
    let text = ''
    for (const pet of page.items) text += format.encode(pet)
    if (text !== '') yield text
    animals += page.items.length
    count(animals)
    after = page.items.at(-1)?.id ?? after
    more = page.more
  }
}
