import { importLimit, importProgress } from '../../contract/body-limit.ts'
import { maxAllOrNothing } from '../../contract/import-result.ts'
import { exportOrders, exportPets, importPets, type ImportPetsQuery } from '../../contract/operations/transfer.ts'
import type { Clock } from '../../inventory/clock.ts'
import { PetStoreError, unavailable } from '../../inventory/errors.ts'
import type { Imports } from '../../inventory/imports.ts'
import type { ApiKey, Keys } from '../../inventory/keys.ts'
import type { Orders } from '../../inventory/orders.ts'
import type { Pets } from '../../inventory/pets.ts'
import { openPlaces } from '../../inventory/places.ts'
import { ImportRefused } from '../../inventory/rules/add-import-part.ts'
import type { Storage } from '../../inventory/storage.ts'
import { encodeOrders } from '../../transfer/encode-orders.ts'
import { encodePets } from '../../transfer/encode-pets.ts'
import { csv, csvFormat } from '../../transfer/formats/csv.ts'
import type { Format } from '../../transfer/formats/format.ts'
import { ndjson } from '../../transfer/formats/ndjson.ts'
import type { ImportStopped } from '../../transfer/import/import-errors.ts'
import { importFile } from '../../transfer/import/import-file.ts'
import { openImportProgress, storedProgress } from '../../transfer/import/import-progress.ts'
import { importIdFor } from '../../transfer/import/import-target.ts'
import type { Exchange, Route } from '../exchange.ts'
import { challenge, isUnauthorized } from '../replies/challenge.ts'
import { jsonReply } from '../replies/json.ts'
import type { Observer } from '../replies/observe.ts'
import { idempotencyKeyOf, type KeysInFlight } from '../request/idempotency-key.ts'
import type { WithHeaders } from '../request/request-headers.ts'
import { operationRoute } from '../route.ts'
import { activeKeys } from '../transfer/active-key.ts'
import { petFilterOf } from '../request/pet-filter.ts'
import { BodyPace } from '../transfer/body-pace.ts'
import { type BodyLimits, piecesOf, tooLarge } from '../transfer/body-pieces.ts'
import { csvOptionsOf, exportCaller, exportPageSize, exportReplies } from './export-reply.ts'
import { importError } from '../transfer/import-error.ts'

export interface TransferRoutesOptions {
  pets: Pets
  orders: Orders
  atOneState: Storage['atOneState']
  imports: Imports
  keys: Keys
  clock: Clock
  inFlight: KeysInFlight
  /** Aborted when the service stops: imports end, so that their clients learn what was added. */
  stopping: AbortSignal
  /** Called for an error that breaks an export. */
  failed: Observer['failed']
  importLimits?: Partial<ImportLimits> | undefined
}

export interface ImportLimits extends Omit<BodyLimits, 'stopping' | 'pace'> {
  /** The number of imports at a time in this process: each has some megabytes in memory. One key may have half of them. */
  maxImports: number
  /** An import whose client takes longer for `minProgressBytes` may lose its place to one of another key. */
  maxLateMs: number
}

const defaultLimits: ImportLimits = {
  maxImports: 8,
  maxLateMs: 2_000,
  maxBytes: importLimit,
  ...importProgress,
}

/** Small, so that other writes do not wait for a batch, nor the event loop for its copy to another thread. */
const batchLimits = { maxCost: 2_000, maxCharacters: 1024 ** 2 }
/** In memory until the end of the file, so that a slow client keeps no transaction open. */
const allOrNothingLimits = { maxPets: maxAllOrNothing, maxCharacters: 2 * 1024 ** 2 }
/** What an import has in memory at most: the rows of a file, or of two batches, in wide characters, and its pieces. */
const importBytes = 6 * 1024 ** 2

/** How the file is read: its pace, and what ends it. */
type Reading = Required<Pick<BodyLimits, 'pace' | 'stopping'>>

export function transferRoutes(options: TransferRoutesOptions): Route[] {
  return [importRoute(options), ...exportRoutes(options)]
}

function importRoute(options: TransferRoutesOptions): Route {
  const { imports, keys, clock, inFlight, stopping, importLimits } = options
  const requireActive = activeKeys(keys, clock)
  const { maxImports, maxLateMs, ...bodyLimits } = { ...defaultLimits, ...importLimits }
  const places = openPlaces(maxImports, maxLateMs)

  async function run(query: ImportPetsQuery, exchange: Exchange, format: Format, reading: Reading) {
    const allOrNothing = query.mode === 'all-or-nothing'
    const createCategories = query['create-categories'] ?? false
    const dryRun = query['dry-run'] ?? false
    const given = idempotencyKeyOf(exchange, () => '')
    const key = dryRun ? undefined : given
    const { id: keyId, name: keyName } = exchange.findings.key as ApiKey
    return inFlight(key, async () => {
      const options = [allOrNothing && 'all-or-nothing', createCategories && 'create-categories', query.importId]
      const kind = [format.name, ...options].filter((word) => word !== false && word !== undefined).join(' ')
      const progress = key && openImportProgress({ key, kind, stored: await storedProgress(imports, key) })
      const name = query.importId ?? (dryRun ? undefined : await importIdFor(imports, progress?.counts.importId))
      if (query.importId !== undefined && progress?.result === undefined) await refuseEnded(query.importId, keyId)
      const pieces = piecesOf(exchange.request, exchange.response.allowSlowBody(), { ...bodyLimits, ...reading })
      const result = await importFile(pieces, {
        imports,
        target: name === undefined ? undefined : { name, keyId, keyName },
        reader: format.reader(),
        limits: batchLimits,
        allOrNothing: allOrNothing && allOrNothingLimits,
        createCategories,
        dryRun,
        progress,
        author: exchange.author,
        beforeBatch: () => requireActive(exchange.findings.key as ApiKey),
      }).catch((error: ImportStopped) => {
        throw importError(error, progress !== undefined, query.importId === undefined ? name : undefined)
      })
      return { result, isReplayed: progress?.result !== undefined }
    })
  }

  /** Before the file is read. The transactions of the import look again. */
  async function refuseEnded(name: string, keyId: string): Promise<void> {
    const known = await imports.find(name)
    if (known !== undefined && known.keyId !== keyId) throw new ImportRefused('foreign')
    if (known?.undoStartedAt !== undefined) throw new ImportRefused('undone')
    if (known?.isListed === false) throw new ImportRefused('expired')
  }

  async function inPlace<Result>(exchange: Exchange, work: (reading: Reading) => Promise<Result>): Promise<Result> {
    const pace = new BodyPace(bodyLimits.minProgressBytes)
    const lost = new AbortController()
    const cut = () => lost.abort(unavailable('The file arrives too slowly while others wait to import; try again.'))
    const leave = places.take((exchange.findings.key as ApiKey).id, { lateMs: () => pace.lateMs(), cut })
    if (leave === undefined) throw tooMany()
    try {
      await exchange.reservation.resize(importBytes)
      return await work({ pace, stopping: AbortSignal.any([stopping, lost.signal]) })
    } finally {
      leave()
    }
  }

  return operationRoute(
    importPets,
    async ({ query }, exchange) => {
      try {
        if (Number(exchange.request.headers['content-length']) > bodyLimits.maxBytes)
          throw tooLarge(bodyLimits.maxBytes)
        const { result, isReplayed } = await inPlace(exchange, (reading) =>
          run(query, exchange, formatOf(exchange.request), reading),
        )
        return jsonReply(JSON.stringify(result), isReplayed ? { 'idempotent-replayed': 'true' } : {})
      } catch (error) {
        exchange.leaveBody()
        if (isUnauthorized(error)) challenge(exchange)
        throw error
      }
    },
    { streamsBody: true, maxBodyBytes: bodyLimits.maxBytes },
  )
}

function exportRoutes({ pets, orders, atOneState, ...options }: TransferRoutesOptions): Route[] {
  const exportReply = exportReplies(options)
  return [
    operationRoute(exportPets, (input, exchange) => {
      const { format: name, spreadsheet: _spreadsheet, separator: _separator, ...filter } = petFilterOf(input.query)
      const options = csvOptionsOf(input.query)
      const format = options === undefined ? ndjson : csvFormat(options)
      const parts = () =>
        encodePets(pets, { format, filter, pageSize: exportPageSize, atOneState, caller: exportCaller(exchange) })
      return exportReply(exchange, 'pets', name, parts)
    }),

    operationRoute(exportOrders, ({ query }, exchange) => {
      const { format, spreadsheet: _spreadsheet, separator: _separator, ...filter } = query
      const csv = csvOptionsOf(query)
      return exportReply(exchange, 'orders', format, () =>
        encodeOrders(orders, { filter, pageSize: exportPageSize, csv, caller: exportCaller(exchange) }),
      )
    }),
  ]
}

/** The gate for the media type lets only these two pass, and none without a body. */
function formatOf({ headers: { 'content-type': type } }: WithHeaders): Format {
  if (type === undefined)
    throw new PetStoreError('invalid_body', 'The body is missing: send a CSV or NDJSON file.', { fields: [] })
  return type.toLowerCase().startsWith('text/csv') ? csv : ndjson
}

function tooMany(): PetStoreError {
  return new PetStoreError('unavailable', 'Too many imports are running, of this API key or of all; try again.', {
    retryAfterSeconds: 10,
  })
}
