import { type ImportFile, rowsOf } from './file.ts'
import { type ImportRow, type Mapping, rowEncoder } from './rows.ts'

/** A file, what its columns mean, and whether to make the categories that it names and the shop lacks. */
export interface ImportPlan {
  file: ImportFile
  mapping: Mapping
  createCategories: boolean
}

/** For a request. A check sends the same chunks as the import: so the service knows them if they come again. */
export const maxChunkRows = 1_000
/** A chunk with this many characters is full. */
const maxChunkCharacters = 500_000

/** The rows of a file in chunks, each for a request. */
export async function* chunksOf({ file, mapping }: ImportPlan): AsyncGenerator<ImportRow[], void, undefined> {
  const encodeRow = rowEncoder(file, mapping).encode
  let chunk: ImportRow[] = []
  let characters = 0
  for await (const rows of rowsOf(file)) {
    for (const row of rows) {
      const encoded = encodeRow(row)
      chunk.push(encoded)
      characters += encoded.text?.length ?? 0
      if (chunk.length < maxChunkRows && characters < maxChunkCharacters) continue
      yield chunk
      chunk = []
      characters = 0
    }
  }
  if (chunk.length > 0) yield chunk
}

type Sent = Extract<ImportRow, { text: string }>

/** The file of a request, and its rows by their lines in it. */
export function encodeChunk(rows: readonly ImportRow[], { file, mapping }: ImportPlan) {
  const rowAt = new Map<number, Sent>()
  let text = rowEncoder(file, mapping).header
  let line = text === '' ? 1 : 2
  for (const row of rows) {
    if (row.text === undefined) continue
    rowAt.set(line, row)
    text += row.text
    line += row.text.split('\n').length - 1
  }
  return { text, rowAt }
}
