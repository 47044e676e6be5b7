import { codecOf } from '../../contract/json.ts'
import { encodeUndoResult, Import } from '../../contract/import.ts'
import { membersOf } from '../../contract/members.ts'
import { listImports, undoImport } from '../../contract/operations/imports.ts'
import { PetStoreError } from '../../inventory/errors.ts'
import type { Imports, Undo, UndoDone } from '../../inventory/imports.ts'
import { endOf } from '../../inventory/page.ts'
import { maxImportPauseMs, type StoredImport } from '../../inventory/stored-import.ts'
import type { Route } from '../exchange.ts'
import { decodeCursor, encodeCursor, nextPage } from '../replies/cursor.ts'
import { jsonReply } from '../replies/json.ts'
import { encodeBody } from '../replies/page-body.ts'
import { encodedPage, pageReply } from '../replies/page.ts'
import { idempotencyKeyOf, type KeysInFlight } from '../request/idempotency-key.ts'
import { operationRoute } from '../route.ts'
import { openOrder } from './pet-changes.ts'

const listScope = 'imports'
const changedSince = 'The animal was changed or ordered after it was added.'

export function importRoutes({ imports, inFlight }: { imports: Imports; inFlight: KeysInFlight }): Route[] {
  return [
    operationRoute(listImports, async ({ query: { limit, cursor } }, exchange) => {
      const page = await imports.list(limit, decodeCursor(cursor, listScope)?.id ?? 0n, exchange.caller)
      const id = endOf(page)
      const next =
        id === undefined ? undefined : nextPage('/pets/imports', {}, limit, { cursor: encodeCursor({ id }, listScope) })
      return pageReply(exchange, encodedPage(await encodeBody(page.items, encodeImport, exchange), { next }))
    }),

    operationRoute(undoImport, async ({ params: { importId: name }, query: { cursor } }, exchange) => {
      const scope = `undo ${name}`
      const idempotencyKey = idempotencyKeyOf(exchange, () => `${scope} ${cursor ?? ''}`)
      const request = {
        name,
        after: decodeCursor(cursor, scope, wrongCursor)?.id ?? 0n,
        author: exchange.author,
        idempotencyKey,
      }
      const undo = await inFlight(idempotencyKey, () => imports.undo(request, exchange.caller))
      if (!('done' in undo)) throw refusalOf(undo.outcome)
      const headers = undo.outcome === 'replayed' ? { 'idempotent-replayed': 'true' } : {}
      return jsonReply(encodeDone(undo.done, scope), headers)
    }),
  ]
}

const { encode } = codecOf<Record<keyof Import, unknown>>(membersOf(Import))

function encodeImport({ name: id, startedAt: at, keyName: keyname, added, rejected, undoneAt }: StoredImport): string {
  return encode({ id, at, keyname, added, rejected, undoneAt })
}

function encodeDone({ keeps, next, ...counts }: UndoDone, scope: string): string {
  return encodeUndoResult({
    ...counts,
    keeps: keeps.map(({ id, reason }) => ({ id, message: reason === 'ordered' ? openOrder : changedSince })),
    ...(next !== undefined && { next: encodeCursor({ id: next }, scope) }),
  })
}

function wrongCursor(): PetStoreError {
  const message = 'cursor must be `next` of a response to an undo of the same import.'
  return new PetStoreError('invalid_parameter', message, { fields: ['cursor'] })
}

function refusalOf(outcome: Exclude<Undo['outcome'], 'done' | 'replayed'>): PetStoreError {
  switch (outcome) {
    case 'missing':
      return new PetStoreError('not_found', 'No import has this id.')
    case 'expired':
      return new PetStoreError('gone', 'Some events of this import are not kept any more, so it cannot be undone.')
    case 'running':
      return new PetStoreError(
        'conflict',
        `The import is running, or was interrupted less than ${maxImportPauseMs / 1000} seconds ago; try again.`,
        { retryAfterSeconds: 10 },
      )
    case 'mismatch':
      return new PetStoreError('idempotency_mismatch', 'This Idempotency-Key was used with another request.')
  }
}
