import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { writeAtomically } from '../../storage/shared/atomic-file.ts'
import { amount, seconds } from './format-numbers.ts'
import { chooseFormat } from './choose-format.ts'
import { encodePets } from '../../transfer/encode-pets.ts'
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
    async function* text(): AsyncGenerator<string> {
      for await (const part of encodePets(pets, { format, filter: {}, pageSize })) {
        yield part.text
        animals += part.count
        progress?.update(animals, Math.min(animals / total, 1))
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

async function toStandardOutput(text: AsyncIterable<string>): Promise<void> {
  try {
    await pipeline(text, process.stdout, { end: false })
  } catch (error) {
    // main.ts reports errors of standard output.
    if ((error as NodeJS.ErrnoException).syscall !== 'write') throw error
  }
}
