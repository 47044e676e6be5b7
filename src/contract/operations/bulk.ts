import { BulkChange, BulkResponse, maxBulk } from '../bulk.ts'
import { bodyErrors, type Operation } from '../operation.ts'
import { idempotencyKey } from '../parameters.ts'

export const bulkChangePets = {
  id: 'bulkChangePets',
  method: 'POST',
  path: '/pets/bulk',
  summary: 'Change many animals',
  description:
    `Changes or removes up to ${maxBulk} matching animals at once, ascending by id, by the rules of \`updatePet\` and ` +
    '`deletePet`, and makes an event for each. All of it happens, or nothing. With `next` in the response there may be ' +
    'more: send the same body with `next` as `cursor`, until it is absent. So the caller sees the progress and can stop. ' +
    'A call may change fewer, or none, and yet have `next`: a search by `name`, and animals with long names, have a ' +
    'bounded cost. Animals that are added after the first call are not touched. An animal with an open order is refused ' +
    'if it would be removed or get another status. With an `Idempotency-Key` a retry is safe; each call has a key of its own. ' +
    'With `dryRun` nothing is changed and the key is not used: the response says how many animals match.',
  permission: 'write',
  stability: 'experimental',
  parameters: { header: idempotencyKey('change animals') },
  body: BulkChange,
  bodyExamples: {
    change: { filter: { status: 'available', categoryId: 1 }, change: { categoryId: 2 } },
    remove: { filter: { ids: [9, 10] }, delete: true },
    count: { filter: { name: 'rex' }, delete: true, dryRun: true },
  },
  success: {
    status: 200,
    description: 'What was done.',
    body: BulkResponse,
    headers: ['Idempotent-Replayed'],
  },
  errors: [...bodyErrors, 'conflict', 'idempotency_mismatch'],
  errorMeanings: {
    conflict: 'A request with this Idempotency-Key is still in flight. Or: the shop would pass a limit.',
  },
} as const satisfies Operation
