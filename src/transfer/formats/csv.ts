import { NewPet } from '../../contract/pet.ts'
import { checker } from '../../contract/checker.ts'
import { cutting, fromByteText, fromUtf8, maxUncutBytes, maxRowBytes, rowTooLarge, toBytes } from './bytes.ts'
import { type CsvRecord, cutRecord, encodeField } from './csv-record.ts'
import { type Format, InvalidFile, type Row, type RowReader } from './format.ts'

/** A header, then one row per animal. A missing status is an empty field. Blank lines are ignored. */
export const csv: Format = {
  name: 'csv',
  header: 'id,name,categoryId,status\n',
  encode: ({ id, name, categoryId, status = '' }) => `${id},${encodeField(name)},${categoryId},${status}\n`,
  reader: csvReader,
}

function csvReader(): RowReader {
  let header: Header | undefined
  let line = 1

  const reader = cutting(function* (text, isEnd) {
    let start = 0
    while (start < text.length) {
      const record = cutRecord(text, start, isEnd)
      if (record === undefined) break
      const original = text.slice(start, record.end)
      if (original !== '' && header !== undefined) yield toRow(record, header, line, original)
      if (original !== '') header ??= readHeader(record, original)
      line += original.includes('\n') ? original.split('\n').length : 1
      start = record.next
    }
    if (text.length - start > maxUncutBytes)
      throw new InvalidFile(`Line ${line} is longer than 1 MiB: is this a CSV file?`)
    if (isEnd && header === undefined) throw new InvalidFile(`The file is empty: ${headerRule}`)
    return start
  })

  return {
    ...reader,
    // These columns come first, so that they stay in place if a rejected row has too many or too few fields.
    rejectsHeader: () => fromByteText(`line,reason,${header?.original}\n`),
    encodeReject: ({ line, reason, original }) =>
      Buffer.concat([toBytes(`${line},${encodeField(reason)},`), original, toBytes('\n')]),
  }
}

/** The indexes of the columns. */
interface Header {
  name: number
  categoryId: number
  /** -1 if there is no such column. */
  status: number
  width: number
  original: string
}

const headerRule = 'the first line of a CSV file names the columns, such as name,categoryId,status.'

function readHeader({ fields, fault }: CsvRecord, original: string): Header {
  if (fault !== undefined) throw new InvalidFile(`The header cannot be read: ${fault}`)
  const column = (name: string, isRequired: boolean): number => {
    const at = fields.indexOf(name)
    if (at === -1 && isRequired) throw new InvalidFile(`The header has no column ${name}: ${headerRule}`)
    if (at !== fields.lastIndexOf(name)) throw new InvalidFile(`The header has the column ${name} twice: ${headerRule}`)
    return at
  }
  const columns = {
    name: column('name', true),
    categoryId: column('categoryId', true),
    status: column('status', false),
  }
  return { ...columns, width: fields.length, original }
}

const check = checker(NewPet, 'text')

function toRow({ fields, fault }: CsvRecord, header: Header, line: number, original: string): Row {
  const reject = (reason: string): Row => ({ line, reason, original: fromByteText(original) })
  if (fault !== undefined) return reject(fault)
  if (original.length > maxRowBytes) return reject(rowTooLarge)
  if (fields.length !== header.width)
    return reject(`The header has ${header.width} columns, the row has ${fields.length}.`)
  const name = fromUtf8(fields[header.name] as string)
  if (name === undefined) return reject('name is not valid UTF-8.')
  const status = fields[header.status]
  const checked = check({ name, categoryId: fields[header.categoryId], status: status === '' ? undefined : status })
  return 'faults' in checked ? reject(checked.faults) : { line, pet: checked.value }
}
