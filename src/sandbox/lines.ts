import { LoneSurrogate, parseJson } from '../contract/json.ts'
import { PetStoreError } from '../inventory/errors.ts'
import { loopSteps } from '../inventory/loop-steps.ts'
import { type CounterName, counterNames, type ResourceTable, resourceTables } from '../inventory/tables.ts'

/** A line of an NDJSON file: a JSON object, with integers as parseJson returns them. */
export interface Line {
  number: number
  value: Readonly<Record<string, unknown>>
}

/** As large as the largest event: a name may have 64 KiB, and JSON may write each of its bytes as six characters. */
const maxLineBytes = 1024 * 1024

/** A line that comes byte by byte would take hundreds of times its memory. */
const maxPieces = 256

/**
 * Reads a file of JSON objects, one on each line, in steps of the event loop. Blank lines are ignored. Throws an
 * `invalid_body` that names the line.
 */
export async function* linesOf(pieces: Iterable<Buffer> | AsyncIterable<Buffer>): AsyncGenerator<Line> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const steps = loopSteps()
  let rest: Buffer[] = []
  let restBytes = 0
  let number = 0

  function readLine(end: Buffer): Line | undefined {
    const bytes = rest.length === 0 ? end : Buffer.concat([...rest, end])
    rest = []
    restBytes = 0
    number++
    return parseLine(bytes, number, decoder)
  }

  for await (const piece of pieces) {
    let start = 0
    for (let newline = piece.indexOf(10); newline !== -1; newline = piece.indexOf(10, start)) {
      const line = readLine(piece.subarray(start, newline))
      if (line !== undefined) yield line
      if (steps.isOver()) await steps.next()
      start = newline + 1
    }
    if (rest.length === maxPieces) rest = [Buffer.concat(rest)]
    rest.push(piece.subarray(start))
    restBytes += piece.length - start
    if (restBytes > maxLineBytes) throw invalidLine(number + 1, 'It is longer than 1 MiB.')
  }
  const last = readLine(Buffer.alloc(0))
  if (last !== undefined) yield last
}

function parseLine(bytes: Buffer, number: number, decoder: TextDecoder): Line | undefined {
  if (bytes.length === 0) return undefined
  let value: unknown
  try {
    const text = decoder.decode(bytes)
    if (text.trim() === '') return undefined
    value = parseJson(text)
  } catch (error) {
    if (error instanceof LoneSurrogate) throw invalidLine(number, error.message)
    throw invalidLine(number, error instanceof SyntaxError ? 'It is not valid JSON.' : 'It is not valid UTF-8.')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalidLine(number, 'It must be a JSON object.')
  }
  return { number, value: value as Line['value'] }
}

export function invalidLine(number: number, message: string): PetStoreError {
  return new PetStoreError('invalid_body', `Line ${number}: ${message}`, { fields: [] })
}

/**
 * What the file of a seed or a snapshot has. It is shared and kept in repositories: no secrets are in it, nor what
 * imports have done.
 */
const isInFile = {
  categories: true,
  pets: true,
  orders: true,
  events: true,
  webhooks: false,
  invitations: false,
  imports: false,
  import_parts: false,
  import_requests: false,
} as const satisfies Record<ResourceTable | CounterName, boolean>

type Chosen = { [Name in keyof typeof isInFile]: (typeof isInFile)[Name] extends true ? Name : never }
export type FileTable = Extract<ResourceTable, Chosen[keyof Chosen]>
export type FileCounter = Extract<CounterName, Chosen[keyof Chosen]>

export const fileTables = resourceTables.filter((table): table is FileTable => isInFile[table])
export const fileCounters = counterNames.filter((name): name is FileCounter => isInFile[name])

/** Makes something for each resource of a file. */
export function forEachFileTable<Value>(make: (table: FileTable) => Value): Record<FileTable, Value> {
  return Object.fromEntries(fileTables.map((table) => [table, make(table)])) as Record<FileTable, Value>
}
