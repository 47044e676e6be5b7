import { abortable } from './abortable.ts'
import { type ExportPetsQuery, type ImportResult, operations } from './contract.ts'
import { ConnectionError } from './errors.ts'
import { openImportBody } from './import-body.ts'
import type { CallOptions, ImportOptions, ImportSource } from './options.ts'
import { randomId } from './random-id.ts'
import { detailsOf, foreignResponse, resourceOf } from './response.ts'
import type { Transport } from './transport.ts'

/** A large file takes long. */
const defaultTimeoutMs = 60 * 60 * 1000
const types = { csv: 'text/csv', ndjson: 'application/x-ndjson' }

export async function importFile(
  transport: Transport,
  file: ImportSource,
  { format = 'csv', mode, idempotencyKey = randomId(), timeoutMs = defaultTimeoutMs, signal }: ImportOptions,
): Promise<ImportResult> {
  const source = await openImportBody(file, signal)
  const headers = { 'content-type': types[format], 'idempotency-key': idempotencyKey }
  const retry = {
    ...transport.retry,
    totalTimeoutMs: Math.max(transport.retry.totalTimeoutMs, timeoutMs),
    ...(!source.isRepeatable && { maxAttempts: 1 }),
  }
  const request = { operation: operations.importPets, query: { mode }, headers, rawBody: source.body }
  try {
    return resourceOf<ImportResult>(await transport.send(request, { signal, timeoutMs }, retry))
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
  const request = { operation: operations.exportPets, query, headers: { accept: '*/*' } }
  const { response, deadline, progress } = await transport.open(request, options)
  const reader = response.body?.getReader()
  try {
    const expected = types[query?.format ?? 'csv']
    if (response.headers.get('content-type')?.startsWith(expected) !== true) throw foreignResponse(response, progress)
    for (;;) {
      deadline.start(options.timeoutMs ?? transport.timeoutMs)
      const part = await deadline.race(Promise.resolve(reader?.read())).catch((error: unknown) => {
        options.signal?.throwIfAborted()
        throw new ConnectionError('The file ended too early.', detailsOf(progress, 'lost'), error)
      })
      // The timeout runs only during a read: a slow consumer is not a dead connection.
      deadline.pause()
      if (part?.value === undefined) return
      yield part.value
    }
  } finally {
    deadline.clear()
    reader?.cancel().catch(() => undefined)
  }
}
