import { type BulkChange, encodeBulkResult, maxForecast } from '../../contract/bulk.ts'
import { bulkChangePets } from '../../contract/operations/bulk.ts'
import { countMatching } from '../../inventory/count-matching.ts'
import { PetStoreError } from '../../inventory/errors.ts'
import { indexedWords } from '../../inventory/name-words.ts'
import type { BulkDone, PetsChange } from '../../inventory/pets.ts'
import type { Storage } from '../../inventory/storage.ts'
import type { Route } from '../exchange.ts'
import { decodePairCursor, encodePairCursor } from '../replies/cursor.ts'
import { jsonReply } from '../replies/json.ts'
import { idempotencyKeyOf, idempotencyMismatch, type KeysInFlight } from '../request/idempotency-key.ts'
import { operationRoute } from '../route.ts'
import { openOrder } from './pet-changes.ts'

interface BulkRoutesOptions extends Pick<Storage, 'pets' | 'atOneState'> {
  inFlight: KeysInFlight
}

export function bulkRoutes({ pets, atOneState, inFlight }: BulkRoutesOptions): Route[] {
  return [
    operationRoute(bulkChangePets, async ({ body }, exchange) => {
      const { filter, cursor } = body
      const change = changeOf(body)
      if (body.dryRun) {
        if (cursor !== undefined) throw invalid('cursor', 'cursor must be left out with dryRun.')
        return jsonReply(
          JSON.stringify(await countMatching({ pets, atOneState }, filter, maxForecast, exchange.caller)),
        )
      }
      const scope = scopeOf(body)
      const idempotencyKey = idempotencyKeyOf(exchange, () => `bulk ${cursor ?? ''} ${scope}`)
      const range = decodePairCursor(cursor, scope, wrongCursor)
      const request = {
        filter,
        change,
        author: exchange.author,
        ...(range && { from: { after: range[0], upTo: range[1] } }),
        ...(idempotencyKey && { idempotencyKey }),
      }
      const bulk = await inFlight(idempotencyKey, () => pets.changeMany(request, exchange.caller))
      if (bulk.outcome === 'mismatch') throw idempotencyMismatch()
      return jsonReply(
        encodeDone(bulk.done, scope),
        bulk.outcome === 'replayed' ? { 'idempotent-replayed': 'true' } : {},
      )
    }),
  ]
}

function encodeDone({ ordered, next, ...counts }: BulkDone, scope: string): string {
  return encodeBulkResult({
    ...counts,
    refusals: ordered.map((id) => ({ id, message: openOrder })),
    ...(next && { next: encodePairCursor([next.after, next.upTo], scope) }),
  })
}

/** What a cursor belongs to: everything else in the body. */
function scopeOf({ filter, change, delete: isDelete }: BulkChange): string {
  const asText = (_name: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value)
  return JSON.stringify(['bulk', filter, change, isDelete], asText)
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
  return invalid('cursor', 'cursor must be `next` of a response to the same body.')
}

function invalid(field: string, message: string): PetStoreError {
  return new PetStoreError('invalid_body', message, { fields: [field] })
}
