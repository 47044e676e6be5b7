import { Failure } from '../shared/failure.ts'
import { csv } from '../../transfer/formats/csv.ts'
import type { Format } from '../../transfer/formats/format.ts'
import { ndjson } from '../../transfer/formats/ndjson.ts'

const endings: Record<string, Format> = { csv, ndjson, jsonl: ndjson }

/** The requested format, otherwise the one of the file's ending. Without a file: NDJSON. */
export function chooseFormat(wanted: string | undefined, file: string | undefined): Format {
  if (wanted !== undefined) {
    if (wanted !== 'csv' && wanted !== 'ndjson') throw new Failure(`--format must be csv or ndjson, got "${wanted}".`)
    return wanted === 'csv' ? csv : ndjson
  }
  if (file === undefined) return ndjson
  const format = endings[/\.([a-z]+)$/i.exec(file)?.[1]?.toLowerCase() ?? '']
  if (format === undefined) throw new Failure(`The format of ${file} is unknown: add --format csv or ndjson.`)
  return format
}
