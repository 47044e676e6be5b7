import { maxRowBytes, maxUncutBytes, rowTooLarge } from '../../contract/body-limit.ts'
import { LoneSurrogate, parseJson } from '../../contract/json.ts'
import { encodePet } from '../../contract/pet.ts'
import { type Cut, cutting, fromByteText, fromUtf8, toBytes } from './bytes.ts'
import { type Format, InvalidFile, type Row } from './format.ts'
import { rowChecker } from './row-pet.ts'

/**
 * One animal per line, as in a response of the service, or with `categoryName`. The case of a status and blank lines
 * are ignored.
 */
export const ndjson: Format = {
  name: 'ndjson',
  header: '',
  encode: (pet) => `${encodePet(pet)}\n`,
  reader: () => ({
    ...cutting(lineCut()),
    header: () => '',
    rejectsHeader: () => toBytes(''),
    encodeReject: ({ line, reason, original }) =>
      toBytes(`${JSON.stringify({ line, reason, row: fromByteText(original).toString() })}\n`),
  }),
}

const check = rowChecker('json')

function lineCut(): Cut {
  let line = 0
  return function* (text, isEnd) {
    let start = 0
    while (start < text.length) {
      const newline = text.indexOf('\n', start)
      if (newline === -1 && !isEnd) break
      const end = newline === -1 ? text.length : newline
      const row = toRow(text.slice(start, end), ++line)
      if (row !== undefined) yield row
      start = end + 1
    }
    if (text.length - start > maxUncutBytes)
      throw new InvalidFile(`Line ${line + 1} is longer than 1 MiB: an NDJSON file has one animal on each line.`)
    return start
  }
}

function toRow(original: string, line: number): Row | undefined {
  const reject = (reason: string): Row => ({ line, reason, original })
  if (original.length > maxRowBytes) return reject(rowTooLarge)
  const text = fromUtf8(original)
  if (text === undefined) return reject('The row is not valid UTF-8.')
  if (text.trim() === '') return undefined
  let value: unknown
  try {
    value = parseJson(text)
  } catch (error) {
    return reject(error instanceof LoneSurrogate ? error.message : 'The row is not valid JSON.')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return reject('The row must be a JSON object.')
  const checked = check(value as Record<string, unknown>)
  return 'faults' in checked ? reject(checked.faults) : { line, original, pet: checked.value }
}
