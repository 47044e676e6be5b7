import { callerLeft, PetStoreError } from '../../inventory/errors.ts'
import type { Caller } from '../../inventory/caller.ts'
import type { Clock } from '../../inventory/clock.ts'
import type { ApiKey, Keys } from '../../inventory/keys.ts'
import { nextLoopTick } from '../../inventory/loop-steps.ts'
import type { EncodedPart } from '../../transfer/encode-file.ts'
import { separatorNames } from '../../transfer/formats/csv-record.ts'
import type { CsvOptions } from '../../transfer/formats/csv.ts'
import type { Exchange, Reply } from '../exchange.ts'
import { isUnauthorized } from '../replies/challenge.ts'
import type { Observer } from '../replies/observe.ts'
import { confirmPreference } from '../replies/preference-applied.ts'
import { streamText } from '../replies/stream-text.ts'
import { preferencesOf } from '../request/prefer.ts'
import { activeKeys } from '../transfer/active-key.ts'
import { exportEnd, withEndLine } from '../transfer/export-end.ts'

export const exportPageSize = 200
/** A page of short rows, and the parts of the file that wait to be sent. */
const exportBytes = 128 * 1024
/** The same with a part of the longest row. */
const largeExportBytes = 512 * 1024
/** An export that has begun waits in each queue as long as a client may read nothing: to cut it helps nobody. */
const maxExportWaitMs = 30_000
/** In memory, one wide character makes all of a text wide. */
const bytesPerTextByte = 2

/** Who waits for an export. Of large names, one batch at a time is in memory: with everything else a mebibyte. */
export function exportCaller(exchange: Exchange): Caller {
  const { caller, reservation } = exchange
  const { outgoing } = exchange.response
  const bytesFor = (textBytes: number) => largeExportBytes + bytesPerTextByte * textBytes
  return {
    id: caller.id,
    get signal() {
      return caller.signal
    },
    get waiting() {
      if (outgoing.headersSent) reservation.waiting.leftMs = maxExportWaitMs
      return reservation.waiting
    },
    reserve(textBytes) {
      if (outgoing.headersSent) reservation.waiting.leftMs = maxExportWaitMs
      return reservation.resize(bytesFor(textBytes))
    },
    tryReserve: (textBytes) => reservation.tryResize(bytesFor(textBytes)),
  }
}

const contentTypes = { csv: 'text/csv; charset=utf-8; header=present', ndjson: 'application/x-ndjson' }

export interface ExportQuery {
  format: 'csv' | 'ndjson'
  spreadsheet?: boolean
  separator?: keyof typeof separatorNames
}

export interface ExportReplyOptions {
  keys: Keys
  clock: Clock
  /** Called for an error that breaks an export. */
  failed: Observer['failed']
}

/** What a query asks of a CSV file. Undefined for NDJSON, with which it must not ask for anything. */
export function csvOptionsOf(query: ExportQuery): CsvOptions | undefined {
  const { format, spreadsheet: isForSpreadsheet = false, separator = 'comma' } = query
  if (format === 'csv') return { separator: separatorNames[separator], isForSpreadsheet }
  const wrong = (['spreadsheet', 'separator'] as const).filter((name) => query[name] !== undefined)
  if (wrong.length === 0) return undefined
  const message = `${wrong.join(' and ')} must be left out with format=ndjson.`
  throw new PetStoreError('invalid_parameter', message, { fields: wrong })
}

/** Sends a file while it is made, as long as the key works. */
export function exportReplies({ keys, clock, failed }: ExportReplyOptions) {
  const requireActive = activeKeys(keys, clock)

  return async function exportReply(
    exchange: Exchange,
    name: string,
    format: ExportQuery['format'],
    parts: () => AsyncIterable<EncodedPart>,
  ): Promise<Reply> {
    const headers = {
      'content-type': contentTypes[format],
      'content-disposition': `attachment; filename="${name}.${format}"`,
      'cache-control': 'no-store',
    }
    const hasEndLine = preferencesOf(exchange.request).has(exportEnd)
    if (hasEndLine) confirmPreference(exchange.response, exportEnd)
    if (exchange.request.method === 'HEAD') return { status: 200, headers }

    await exchange.reservation.resize(exportBytes)
    const { signal } = exchange.caller
    async function* text(): AsyncGenerator<string> {
      for await (const part of parts()) {
        if (part.text !== '') yield part.text
        // A search may go on for long without a part to send, at which it would end by itself.
        if (signal.aborted) throw callerLeft()
        await requireActive(exchange.findings.key as ApiKey)
        // A client that reads fast must not keep others waiting.
        await nextLoopTick()
      }
    }
    const reportFailure = (error: unknown) => {
      if (!isUnauthorized(error)) failed(error as Error, exchange.request.id)
    }
    return { status: 200, headers, body: await streamText(hasEndLine ? withEndLine(text()) : text(), reportFailure) }
  }
}
