import { type CsvRecord, recordCutter, type Separator } from '../../src/transfer/formats/csv-record.ts'

/** A row of a CSV file. */
export interface CsvRow extends Pick<CsvRecord, 'fields' | 'fault'> {
  /** Where the row begins, counted from 1. */
  line: number
}

/** The rows of a CSV file, with its header. Rows without any text are left out: spreadsheets save them. */
export function* csvRows(text: string, separator: Separator): Generator<CsvRow, void, undefined> {
  // A long row may have columns that are not sent.
  const cut = recordCutter({ separator, maxRecordLength: Infinity })
  let line = 1
  for (let start = 0; start < text.length; ) {
    const { next, end: _end, ...row } = cut(text, start, true) as CsvRecord
    if (row.fault !== undefined || row.fields.some((field) => field !== '')) yield { line, ...row }
    line += text.slice(start, next).split('\n').length - 1
    start = next
  }
}
