import type { Separator } from '../../src/transfer/formats/csv-record.ts'
import { decodedText } from './import/decode.ts'
import { csvRecords } from './import/records.ts'

export type SeparatorName = 'comma' | 'semicolon'

/** What a spreadsheet in this language expects: where the comma is in decimal numbers, a semicolon. */
export function spreadsheetSeparator(locale?: string): SeparatorName {
  const parts = new Intl.NumberFormat(locale).formatToParts(1.5)
  return parts.some(({ type, value }) => type === 'decimal' && value === ',') ? 'semicolon' : 'comma'
}

const maxWordLength = 30

/** A name with the day and the filters, such as `animals-2026-11-17-available-cats.csv`. */
export function exportName(what: string, filters: readonly string[], ending: string, now = new Date()): string {
  const day = [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, '0'))
  // Only letters and digits: whatever a filter has, the name is valid on every system.
  const words = filters.map((text) =>
    text
      .toLowerCase()
      .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
      .trim(),
  )
  const short = words
    .filter((word) => word !== '')
    .map((word) => Array.from(word).slice(0, maxWordLength).join('').trim())
  return `${[what, ...day, ...short].join('-').replaceAll(' ', '-')}.${ending}`
}

export interface Formulas {
  count: number
  example: string
}

/** Cells of a CSV file that a spreadsheet would run as formulas. Undefined if there are none. */
export async function findFormulas(file: Blob, separator: SeparatorName): Promise<Formulas | undefined> {
  const signs: Record<SeparatorName, Separator> = { comma: ',', semicolon: ';' }
  let found: Formulas | undefined
  for await (const rows of csvRecords(decodedText(file, 'utf-8'), signs[separator])) {
    for (const cell of rows.flatMap(({ fields }) => fields)) {
      if (isFormula(cell)) found = { count: (found?.count ?? 0) + 1, example: found?.example ?? cell }
    }
  }
  return found
}

/** Spreadsheets take a cell for a formula by its first character, unless it is a number. */
export function isFormula(cell: string): boolean {
  return /^\s*[=+\-@]./su.test(cell) && !/^\s*[+-][0-9]+([.,][0-9]+)?\s*$/.test(cell)
}
