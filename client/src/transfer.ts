import { abortable } from './abortable.ts'
import { readParts } from './body-parts.ts'
import { type ExportPetsQuery, type ImportResult, type Operation, operations } from './contract.ts'
import { withoutEndLine } from './export-end.ts'
import { importBody } from './import-body.ts'
import type { CallOptions, ImportOptions, ImportSource } from './options.ts'
import { endedEarly, foreignResponse, hasType, resourceOf } from './response.ts'
import type { Transport } from './transport.ts'

/** A large file takes long. */
const defaultTimeoutMs = 60 * 60 * 1000
const types = { csv: 'text/csv', ndjson: 'application/x-ndjson' }

export async function importFile(
  transport: Transport,
  file: ImportSource,
  { format = 'csv', importId, mode, createCategories, dryRun, onProgress, ...options }: ImportOptions = {},
): Promise<ImportResult> {
  const { timeoutMs = defaultTimeoutMs } = options
  const source = importBody(file, onProgress)
  const headers = { 'content-type': types[format] }
  const retry = { ...options.retry, ...(!source.isRepeatable && { maxAttempts: 1 }) }
  const request = {
    operation: operations.importPets,
    query: { importId, mode, 'create-categories': createCategories, 'dry-run': dryRun },
    headers,
    source,
    isKeyed: true,
  }
  try {
    return resourceOf(await transport.send(request, { ...options, timeoutMs, retry }))
  } finally {
    source.close()
  }
}

/**
 * The bytes of a file with all matching animals or orders. Throws a ConnectionError if it ends too early. `timeoutMs` limits the
 * wait for each part.
 */
export function exportFile(
  transport: Transport,
  operation: Operation,
  query: Pick<ExportPetsQuery, 'format'> | undefined,
  options: CallOptions = {},
): AsyncGenerator<Uint8Array, void, undefined> {
  return abortable(options.signal, async function* (signal) {
    const headers = { accept: '*/*', prefer: 'export-end' }
    const request = { operation, query, headers }
    const open = await transport.open(request, { ...options, signal })
    const { response, deadline, progress } = open
    if (response.status !== 200 || !hasType(response, types[query?.format ?? 'csv'])) {
      deadline.clear()
      throw foreignResponse(progress)
    }
    const parts = readParts(open, options.timeoutMs ?? transport.options.timeoutMs)
    const hasEndLine = response.headers.get('preference-applied')?.includes(headers.prefer)
    yield* hasEndLine ? withoutEndLine(parts, () => endedEarly(progress)) : parts
  })
}
