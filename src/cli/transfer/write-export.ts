import { createWriteStream, statSync } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { writeAtomically } from '../../storage/shared/atomic-file.ts'
import { refuseOwnFile } from '../../storage/shared/own-file.ts'
import type { EncodedPart } from '../../transfer/encode-file.ts'
import type { CsvOptions } from '../../transfer/formats/csv.ts'
import { separatorNames } from '../../transfer/formats/csv-record.ts'
import type { Config } from '../shared/config.ts'
import { Failure } from '../shared/failure.ts'
import { databaseOf } from '../shared/with-storage.ts'
import { chooseFormat } from './choose-format.ts'
import { amount, seconds } from './format-numbers.ts'
import { openProgress } from './progress.ts'

export interface FormatOptions {
  format?: string
  spreadsheet?: boolean
  separator?: string
}

export interface Export {
  /** What the file has, in the singular. */
  noun: string
  /** How many of them it will have, if that is known. */
  total?: number | undefined
  /** Names the database that they come from. */
  config: Config
  parts: AsyncIterable<EncodedPart>
}

/** Undefined for NDJSON. */
export function csvOptionsOf(
  file: string | undefined,
  { format, spreadsheet = false, separator }: FormatOptions,
): CsvOptions | undefined {
  const isCsv = chooseFormat(format, file).name === 'csv'
  if (!isCsv && (spreadsheet || separator !== undefined))
    throw new Failure('--spreadsheet and --separator are for CSV: add --format csv.')
  if (separator !== undefined && !Object.hasOwn(separatorNames, separator))
    throw new Failure(`--separator must be comma, semicolon or tab, got "${separator}".`)
  const name = (separator ?? 'comma') as keyof typeof separatorNames
  return isCsv ? { separator: separatorNames[name], isForSpreadsheet: spreadsheet } : undefined
}

/**
 * Writes an export to a file, with progress and a last sentence, or to standard output. An existing file is replaced, but
 * not by one without rows.
 */
export async function writeExport(file: string | undefined, { noun, total, config, parts }: Export): Promise<void> {
  if (file !== undefined) refuseOwnFile(file, config.databaseUrl)
  const start = performance.now()
  const database = databaseOf(config)
  // No progress line between rows on the same terminal.
  const progress =
    file === undefined && process.stdout.isTTY ? undefined : openProgress(process.stderr, { things: `${noun}s` })
  let count = 0
  async function* text(): AsyncGenerator<string> {
    for await (const part of parts) {
      yield part.text
      count += part.count
      progress?.update(count, total && Math.min(count / total, 1))
    }
  }
  try {
    if (file === undefined) return await toStandardOutput(text())
    const refuseNothing = async () => {
      if (count > 0 || !isFilled(file)) return
      throw new Failure(`There are no such ${noun}s in ${database}: ${file} is left as it is. Remove it first.`)
    }
    const write = (partial: string) => pipeline(text(), createWriteStream(partial))
    await writeAtomically(file, write, { beforeRename: refuseNothing })
  } finally {
    progress?.clear()
  }
  const took = seconds(performance.now() - start)
  process.stdout.write(`Exported ${amount(count, noun)} from ${database} to ${file} in ${took}.\n`)
}

function isFilled(file: string): boolean {
  return (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 0
}

async function toStandardOutput(text: AsyncIterable<string>): Promise<void> {
  try {
    await pipeline(text, process.stdout, { end: false })
  } catch (error) {
    // main.ts reports errors of standard output.
    if ((error as NodeJS.ErrnoException).syscall !== 'write') throw error
  }
}
