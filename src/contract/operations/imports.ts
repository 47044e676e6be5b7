import { maxBulk } from '../bulk.ts'
import { Imports, UndoResult } from '../import.ts'
import type { Operation } from '../operation.ts'
import { cursor, idempotencyKey, limitOf } from '../parameters.ts'
import { Type } from '../schema.ts'

export const listImports = {
  id: 'listImports',
  method: 'GET',
  path: '/pets/imports',
  summary: 'List imports',
  description:
    'Returns a page of imports, the newest first: those whose events are all kept, which can be undone. `GET /pets` and ' +
    '`GET /pets/export` with `importId` have the animals of one. Paging works as for `GET /pets`.',
  permission: 'read',
  stability: 'experimental',
  parameters: { query: Type.Object({ limit: limitOf('imports'), cursor: cursor() }) },
  success: {
    status: 200,
    description: 'A page of imports.',
    body: Imports,
    headers: ['Link', 'Next-Cursor', 'ETag'],
  },
  errors: [],
} as const satisfies Operation

export const undoImport = {
  id: 'undoImport',
  method: 'POST',
  path: '/pets/imports/{importId}/undo',
  summary: 'Undo an import',
  description:
    `Removes up to ${maxBulk} animals of an import at once, ascending by id, and makes an event for each: those that ` +
    'nobody has changed or ordered since they were added. The others stay. All of it happens, or nothing. With `next` in ' +
    'the response there may be more: send the request again with `next` as `cursor`, until it is absent; then the import ' +
    'is undone. A call may remove fewer, or none, and yet have `next`. A request that is repeated, also from the start, ' +
    'removes nothing twice; with an `Idempotency-Key` it gets the same response. From the first call on nothing can be ' +
    'added to the import. Categories that it has made stay.',
  permission: 'write',
  stability: 'experimental',
  parameters: {
    path: Type.Object({ importId: Type.String({ description: 'The `id` of the import.' }) }),
    query: Type.Object({ cursor: cursor(undefined, 64, '`next` of the response before') }),
    header: idempotencyKey('undo an import'),
  },
  success: { status: 200, description: 'What was done.', body: UndoResult, headers: ['Idempotent-Replayed'] },
  errors: ['not_found', 'conflict', 'gone', 'idempotency_mismatch'],
  errorMeanings: {
    not_found: 'There was no import with this id, or it was long ago.',
    conflict: 'The import is still running. Or: a request with this Idempotency-Key is still in flight.',
    gone: 'Some events of the import are not kept any more, so nobody knows which of its animals were changed since.',
    idempotency_mismatch: 'The Idempotency-Key was used with another request.',
  },
} as const satisfies Operation
