import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { importLimit, importProgress } from '../../contract/body-limit.ts'
import { isOffered, type Offer } from '../../contract/operations/operations.ts'
import { exportPets, ExportPetsQuery, importPets, ImportPetsQuery } from '../../contract/operations/transfer.ts'
import { nextTurn } from '../../inventory/loop-steps.ts'
import type { Clock } from '../../inventory/clock.ts'
import { PetStoreError } from '../../inventory/errors.ts'
import type { Imports } from '../../inventory/imports.ts'
import type { ApiKey, Keys } from '../../inventory/keys.ts'
import type { Pets } from '../../inventory/pets.ts'
import { encodePets } from '../../transfer/encode-pets.ts'
import { csv } from '../../transfer/formats/csv.ts'
import type { Format } from '../../transfer/formats/format.ts'
import { ndjson } from '../../transfer/formats/ndjson.ts'
import type { App } from '../fastify-types.ts'
import { sendJson } from '../replies/json-reply.ts'
import type { Observer } from '../replies/observe.ts'
import { confirmPreference } from '../replies/preference-applied.ts'
import { authorOf } from '../request/author.ts'
import { idempotencyKeyOf, type KeysInFlight } from '../request/idempotency-key.ts'
import { callerOf } from '../request/caller.ts'
import { challenge, isUnauthorized } from '../request/credentials.ts'
import { activeKeys } from '../transfer/active-key.ts'
import { preferencesOf } from '../request/prefer.ts'
import { petFilterOf } from '../request/pet-filter.ts'
import { type BodyLimits, piecesOf, tooLarge } from '../transfer/body-pieces.ts'
import { exportEnd, withEndLine } from '../transfer/export-end.ts'
import { openImportProgress } from '../transfer/import-progress.ts'
import { importRows } from '../transfer/import-rows.ts'

export interface TransferRoutesOptions {
  pets: Pets
  imports: Imports
  keys: Keys
  clock: Clock
  inFlight: KeysInFlight
  /** Aborted when the service stops: imports end, so that their clients learn what was added. */
  stopping: AbortSignal
  offer: Offer
  /** Called for an error that breaks an export. */
  failed: Observer['failed']
  importLimits?: Partial<ImportLimits> | undefined
}

export interface ImportLimits extends Omit<BodyLimits, 'stopping'> {
  /** The number of imports at a time in this process: each has some megabytes in memory. */
  maxImports: number
}

const defaultLimits: ImportLimits = {
  maxImports: 4,
  maxBytes: importLimit,
  ...importProgress,
}

/** Large names make large pages, which are in memory once for each export. */
const exportPageSize = 200

const contentTypes = { csv: 'text/csv; charset=utf-8; header=present', ndjson: 'application/x-ndjson' }

export function transferRoutes(app: App, options: TransferRoutesOptions): void {
  if (isOffered(importPets, options.offer)) importRoute(app, options)
  if (isOffered(exportPets, options.offer)) exportRoute(app, options)
}

function importRoute(app: App, options: TransferRoutesOptions): void {
  const { imports, keys, clock, inFlight, stopping, importLimits } = options
  const requireActive = activeKeys(keys, clock)
  const { maxImports, ...bodyLimits } = { ...defaultLimits, ...importLimits }
  let running = 0

  async function run(request: FastifyRequest<{ Querystring: ImportPetsQuery }>, format: Format) {
    const allOrNothing = request.query.mode === 'all-or-nothing'
    const key = idempotencyKeyOf(request, () => '')
    return inFlight(key, async () => {
      const kind = `${format.name}${allOrNothing ? ' all-or-nothing' : ''}`
      const progress = key && (await openImportProgress(imports, { keyId: key.keyId, name: key.name }, kind))
      const pieces = piecesOf(request.raw, { ...bodyLimits, stopping })
      const result = await importRows(pieces, {
        imports,
        format,
        allOrNothing,
        progress,
        author: authorOf(request),
        beforeBatch: () => requireActive(request.apiKey as ApiKey),
      })
      return { result, isReplayed: progress?.result !== undefined }
    })
  }

  // A scope of its own: its bodies are streams, whatever their type.
  app.register(async (scope: App) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _body, done) => done(null))
    scope.post(
      '/pets/import',
      { schema: { querystring: ImportPetsQuery }, config: { operation: importPets }, bodyLimit: bodyLimits.maxBytes },
      async (request, reply) => {
        if (Number(request.headers['content-length']) > bodyLimits.maxBytes) throw tooLarge()
        if (running >= maxImports) throw tooMany(maxImports)
        running++
        try {
          const { result, isReplayed } = await run(request, formatOf(request))
          if (isReplayed) reply.header('idempotent-replayed', 'true')
          reply.header('cache-control', 'no-store')
          sendJson(reply, JSON.stringify(result))
        } catch (error) {
          // Node discards an unread body only if nothing of it was read.
          if (!request.raw.complete) reply.header('connection', 'close')
          request.raw.resume()
          if (isUnauthorized(error)) challenge(request, reply)
          throw error
        } finally {
          running--
        }
        return reply
      },
    )
  })
}

function exportRoute(app: App, { pets, keys, clock, failed }: TransferRoutesOptions): void {
  const requireActive = activeKeys(keys, clock)
  const options = { schema: { querystring: ExportPetsQuery }, config: { operation: exportPets } }
  app.get('/pets/export', options, async (request, reply) => {
    const { format: name, ...filter } = petFilterOf(request.query)
    const format = name === 'csv' ? csv : ndjson
    reply.headers({
      'content-type': contentTypes[name],
      'content-disposition': `attachment; filename="pets.${name}"`,
      'cache-control': 'no-store',
    })
    const hasEndLine = preferencesOf(request).has(exportEnd)
    if (hasEndLine) confirmPreference(reply, exportEnd)
    if (request.method === 'HEAD') return reply.send()

    const caller = callerOf(reply.raw, (request.apiKey as ApiKey).id)

    async function* text(): AsyncGenerator<string> {
      try {
        for await (const part of encodePets(pets, { format, filter, pageSize: exportPageSize, caller })) {
          if (part.text !== '') yield part.text
          await requireActive(request.apiKey as ApiKey)
          // A client that reads fast must not keep others waiting.
          await nextTurn()
        }
      } catch (error) {
        // A file without its end must not look complete. (Before the first part, the error becomes a response.)
        if (reply.raw.headersSent) {
          if (!isUnauthorized(error) && !reply.raw.destroyed) failed(error as Error, request.id)
          breakConnection(reply)
        }
        reply.removeHeader('content-disposition')
        throw error
      }
    }
    return reply.send(Readable.from(hasEndLine ? withEndLine(text()) : text(), { highWaterMark: 1 }))
  })
}

/** The gate for the media type lets only these two pass, and none without a body. */
function formatOf({ headers: { 'content-type': type } }: FastifyRequest): Format {
  if (type === undefined)
    throw new PetStoreError('invalid_body', 'The body is missing: send a CSV or NDJSON file.', { fields: [] })
  return type.toLowerCase().startsWith('text/csv') ? csv : ndjson
}

/** A reset, so that the end of the connection is not taken for the end of the file (HTTP/1.0). TLS has no reset. */
function breakConnection({ raw }: FastifyReply): void {
  const { socket } = raw
  if (socket !== null && 'encrypted' in socket) socket.destroy()
  else socket?.resetAndDestroy()
}

function tooMany(maxImports: number): PetStoreError {
  return new PetStoreError('unavailable', `${maxImports} imports are running, the maximum; try again.`, {
    retryAfterSeconds: 10,
  })
}
