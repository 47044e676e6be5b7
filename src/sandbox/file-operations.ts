import { bodyErrors, type Operation } from '../contract/operation.ts'
import { Type } from '../contract/schema.ts'

const ndjson = 'application/x-ndjson'

/** The most bytes of a seed or a snapshot. A shop has at most 16 MiB, but JSON may write a byte as six characters. */
export const maxFileBytes = 128 * 1024 * 1024

const fileErrors = {
  errors: [...bodyErrors, 'conflict'],
  errorMeanings: {
    invalid_body: 'A line is invalid, or breaks a rule of the shop; the message names it. Nothing was changed.',
    payload_too_large: 'The file is larger than 128 MiB.',
    conflict: 'A shop of the sandbox may not be so large. Nothing was changed.',
    unavailable: 'Too many files are being read at once; try again.',
  },
} as const

export const SeedChoice = Type.Object(
  {
    seed: Type.Optional(
      Type.Unsafe<'empty' | 'demo'>({
        type: 'string',
        enum: ['empty', 'demo'],
        description: 'The name of a seed. Absent: that of the sandbox.',
        examples: ['demo'],
      }),
    ),
  },
  {
    $id: 'SeedChoice',
    additionalProperties: false,
    description: 'What a shop begins with. Unknown members are refused.',
    examples: [{ seed: 'demo' }],
  },
)

export const resetShop = {
  id: 'resetShop',
  method: 'POST',
  path: '/sandbox/reset',
  summary: 'Begin again with a seed',
  description:
    'Makes the shop new. Ids start again, keys and idempotency keys are forgotten, earlier event positions are 410, ' +
    'and streams end. Without a body, or with `{}`, the shop begins with the seed of the sandbox.',
  permission: 'admin',
  stability: 'experimental',
  files: {
    'application/json': { description: 'The name of a seed.', schema: SeedChoice, example: { seed: 'demo' } },
    [ndjson]: {
      description: 'An animal on each line, with its id; a line with a `type` is a `category` or an `order`.',
      example: '{"id":7,"name":"Rex","categoryId":1,"status":"available"}\n',
    },
  },
  success: { status: 204, description: 'The shop is new.', headers: [] },
  ...fileErrors,
} as const satisfies Operation

const snapshotFile = {
  [ndjson]: {
    description: 'A first line with the counters, then the lines of a seed, and a line for each key and event.',
    example:
      '{"type":"shop","version":1,"counters":{"pets":7,"orders":0,"events":1}}\n' +
      '{"id":7,"name":"Rex","categoryId":1,"status":"available"}\n',
  },
}

export const getSnapshot = {
  id: 'getSnapshot',
  method: 'GET',
  path: '/sandbox/snapshot',
  summary: 'Save the shop',
  description:
    'Returns the shop at one moment: animals, orders, categories, events, counts of days, its clock, and keys, of which ' +
    'it has only hashes. Webhooks, invitations, imports and idempotency keys are not in it.',
  permission: 'admin',
  stability: 'experimental',
  success: { status: 200, description: 'The snapshot.', files: snapshotFile, headers: [] },
  errors: [],
} as const satisfies Operation

export const putSnapshot = {
  id: 'putSnapshot',
  method: 'PUT',
  path: '/sandbox/snapshot',
  summary: 'Restore the shop',
  description:
    'Replaces the shop by a snapshot, with its ids and counters. Webhooks, invitations and imports are removed, earlier ' +
    'event positions are 410, idempotency keys are forgotten, and streams end.',
  permission: 'admin',
  stability: 'experimental',
  files: snapshotFile,
  success: { status: 204, description: 'The shop is that of the snapshot.', headers: [] },
  ...fileErrors,
} as const satisfies Operation
