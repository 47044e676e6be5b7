import { abortable } from './abortable.ts'
import { readBody } from './body-reader.ts'
import { type ExportPetsQuery, type ImportResult, operations } from './contract.ts'
import { CallError, ConnectionError, TimeoutError } from './errors.ts'
import { importBody } from './import-body.ts'
import type { CallOptions, ImportOptions, ImportSource } from './options.ts'
import { randomId } from './random-id.ts'
import { detailsOf, foreignResponse, hasType, resourceOf } from './response.ts'
import type { Transport } from './transport.ts'

/** A large file takes long. */
const defaultTimeoutMs = 60 * 60 * 1000
const types = { csv: 'text/csv', ndjson: 'application/x-ndjson' }

export async function importFile(
  transport: Transport,
  file: ImportSource,
  { format = 'csv', mode, idempotencyKey = randomId(), onProgress, ...options }: ImportOptions,
): Promise<ImportResult> {
  const { signal, timeoutMs = defaultTimeoutMs } = options
  const source = importBody(file, { signal, onProgress })
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
  const { timeoutMs = transport.options.timeoutMs } = options
  const request = { operation: operations.exportPets, query, headers: { accept: '*/*' } }
  const open = await transport.open(request, options)
  const { response, deadline, progress } = open
  const { read, stop } = readBody(open)
  try {
    if (response.status !== 200 || !hasType(response, types[query?.format ?? 'csv'])) throw foreignResponse(progress)
    for (;;) {
      const part = await read(timeoutMs).catch((error: unknown) => {
        options.signal?.throwIfAborted()
        if (error instanceof CallError) throw error
        const details = detailsOf(progress, 'lost')
        if (deadline.isExpired) throw new TimeoutError(`Nothing more of the file within ${timeoutMs} ms.`, details)
        throw new ConnectionError('The file ended too early.', details, error)
      })
      if (part === undefined) return
      yield part
    }
  } finally {
    stop()
  }
}
