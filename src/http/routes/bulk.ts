import { type BulkChange, encodeBulkResult, maxForecast } from '../../contract/bulk.ts'
import { bulkChangePets } from '../../contract/operations/bulk.ts'
import { countMatching, type Matching } from '../../inventory/count-matching.ts'
import { PetStoreError } from '../../inventory/errors.ts'
import { openFairQueue } from '../../inventory/fair-queue.ts'
import { indexedWords } from '../../inventory/name-words.ts'
import type { BulkDone, PetsChange } from '../../inventory/pets.ts'
import type { Storage } from '../../inventory/storage.ts'
import type { Route } from '../exchange.ts'
import { jsonReply } from '../replies/json.ts'
import { idempotencyKeyOf, idempotencyMismatch, type KeysInFlight } from '../request/idempotency-key.ts'
import { operationRoute } from '../route.ts'
import { type BulkCursor, decodeBulkCursor, encodeBulkCursor, isLost } from '../replies/bulk-cursor.ts'
import { openOrder } from './pet-changes.ts'

interface BulkRoutesOptions extends Pick<Storage, 'pets' | 'events' | 'atOneState'> {
  inFlight: KeysInFlight
}

export function bulkRoutes({ pets, events, atOneState, inFlight }: BulkRoutesOptions): Route[] {
  // Each holds one of the few states for long. The others are for searches and undos.
  const counts = openFairQueue(1)
  return [
    operationRoute(bulkChangePets, async ({ body }, exchange) => {
      const { filter, cursor } = body
      const change = changeOf(body)
      const scope = scopeOf(body)
      const from = decodeBulkCursor(cursor, [scope, countScopeOf(body)], wrongCursor)
      if (from !== undefined && (await isLost(from, events, exchange.caller))) throw lostCursor()
      const range = from?.range
      if (body.dryRun) {
        const { caller } = exchange
        const count = () => countMatching({ atOneState }, { filter, range, max: maxForecast }, caller)
        const counted = await counts.run(caller, count)
        const position = from === undefined ? await events.latest() : from.position
        return jsonReply(encodeForecast(counted, position, countScopeOf(body)))
      }
      const idempotencyKey = idempotencyKeyOf(exchange, () => `bulk ${cursor ?? ''} ${scope}`)
      const request = {
        filter,
        change,
        author: exchange.author,
        ...(range && { from: range }),
        idempotencyKey,
      }
      const bulk = await inFlight(idempotencyKey, () => pets.changeMany(request, exchange.caller))
      if (bulk.outcome === 'mismatch') throw idempotencyMismatch()
      return jsonReply(
        encodeDone(bulk.done, from?.position, scope),
        bulk.outcome === 'replayed' ? { 'idempotent-replayed': 'true' } : {},
      )
    }),
  ]
}

type Known = BulkCursor['position']

function encodeDone({ ordered, next, ...counts }: BulkDone, position: Known, scope: string): string {
  return encodeBulkResult({
    ...counts,
    refusals: ordered.map((id) => ({ id, message: openOrder })),
    ...(next && { next: encodeBulkCursor({ range: next, position }, scope) }),
  })
}

function encodeForecast({ matching, more, range }: Matching, position: Known, scope: string): string {
  return JSON.stringify({ matching, more, cursor: encodeBulkCursor({ range, position }, scope) })
}

/** What the cursor of a call belongs to: everything else in the body. */
function scopeOf({ filter, change, delete: isDelete }: BulkChange): string {
  return JSON.stringify(['bulk', filter, change, isDelete], bigintAsText)
}

/** What the cursor of a dry run belongs to: a person may decide what to do with the animals after they are counted. */
function countScopeOf({ filter }: BulkChange): string {
  return JSON.stringify(['count', filter], bigintAsText)
}

function bigintAsText(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value
}

function changeOf({ filter, change, delete: isDelete }: BulkChange): PetsChange {
  if (Object.keys(filter).length === 0) {
    throw invalid('filter', 'filter must have at least one of status, categoryId, name, ids.')
  }
  if (filter.name !== undefined && indexedWords(filter.name) === '') {
    throw invalid('filter', 'name in filter must have a letter or a digit.')
  }
  if ((change === undefined) === (isDelete === undefined)) {
    throw invalid('change', 'Either change or delete must be given.')
  }
  if (change === undefined) return 'delete'
  if (Object.keys(change).length === 0) throw invalid('change', 'change must have status, categoryId or both.')
  return change
}

function wrongCursor(): PetStoreError {
  return invalid(
    'cursor',
    'cursor must be `next` of a response to the same body, or `cursor` of a dry run with the same filter.',
  )
}

function lostCursor(): PetStoreError {
  return invalid('cursor', 'cursor is of a state that was lost with a database: make the dry run again.')
}

function invalid(field: string, message: string): PetStoreError {
  return new PetStoreError('invalid_body', message, { fields: [field] })
}
