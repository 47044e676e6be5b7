import { abortable } from './abortable.ts'
import { readBody } from './body-reader.ts'
import { type ExportPetsQuery, type ImportResult, operations } from './contract.ts'
import { CallError, ConnectionError, TimeoutError } from './errors.ts'
import { withoutEndLine } from './export-end.ts'
import { importBody } from './import-body.ts'
import type { CallOptions, ImportOptions, ImportSource } from './options.ts'
import { randomId } from './random-id.ts'
import { type CallProgress, detailsOf, foreignResponse, hasType, resourceOf } from './response.ts'
import type { OpenResponse, Transport } from './transport.ts'

/** A large file takes long. */
const defaultTimeoutMs = 60 * 60 * 1000
const types = { csv: 'text/csv', ndjson: 'application/x-ndjson' }

export async function importFile(
  transport: Transport,
  file: ImportSource,
  { format = 'csv', mode, idempotencyKey = randomId(), onProgress, ...options }: ImportOptions,
): Promise<ImportResult> {
  const { timeoutMs = defaultTimeoutMs } = options
  const source = importBody(file, onProgress)
  const headers = { 'content-type': types[format], 'idempotency-key': idempotencyKey }
  const retry = { ...options.retry, ...(!source.isRepeatable && { maxAttempts: 1 }) }
  const request = { operation: operations.importPets, query: { mode }, headers, openBody: source.open }
  try {
    return resourceOf<ImportResult>(await transport.send(request, { ...options, timeoutMs, retry }))
  } catch (error) {
    throw error instanceof ConnectionError && source.failure ? source.failure.error : error
  } finally {
    source.close()
  }
}

/**
 * The bytes of a file with all matching animals. Throws a ConnectionError if it ends too early. `timeoutMs` limits the
 * wait for each part.
 */
export function exportFile(
  transport: Transport,
  query: ExportPetsQuery | undefined,
  options: CallOptions,
): AsyncGenerator<Uint8Array, void, undefined> {
  return abortable(options.signal, (signal) => readFile(transport, query, { ...options, signal }))
}

async function* readFile(
  transport: Transport,
  query: ExportPetsQuery | undefined,
  options: CallOptions,
): AsyncGenerator<Uint8Array, void, undefined> {
  const headers = { accept: '*/*', prefer: 'export-end' }
  const open = await transport.open({ operation: operations.exportPets, query, headers }, options)
  const { response, progress } = open
  const parts = readParts(
    open,
    types[query?.format ?? 'csv'],
    options.timeoutMs ?? transport.options.timeoutMs,
    options,
  )
  const hasEndLine = response.headers.get('preference-applied')?.includes(headers.prefer) === true
  yield* hasEndLine ? withoutEndLine(parts, () => endedEarly(progress)) : parts
}

async function* readParts(
  open: OpenResponse,
  type: string,
  timeoutMs: number,
  { signal }: CallOptions,
): AsyncGenerator<Uint8Array, void, undefined> {
  const { response, deadline, progress } = open
  const { read, stop } = readBody(open)
  try {
    if (response.status !== 200 || !hasType(response, type)) throw foreignResponse(progress)
    for (;;) {
      const part = await read(timeoutMs).catch((error: unknown) => {
        signal?.throwIfAborted()
        if (error instanceof CallError) throw error
        if (!deadline.isExpired) throw endedEarly(progress, error)
        throw new TimeoutError(`Nothing more of the file within ${timeoutMs} ms.`, detailsOf(progress, 'lost'))
      })
      if (part === undefined) return
      yield part
    }
  } finally {
    stop()
  }
}

function endedEarly(progress: CallProgress, cause?: unknown): CallError {
  return new ConnectionError('The file ended too early.', detailsOf(progress, 'lost'), cause)
}
