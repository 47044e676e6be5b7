import type { Static } from 'typebox'
import { importProgress } from '../body-limit.ts'
import { ImportId, ImportResult, maxAllOrNothing, maxListedRejects, maxNewCategories } from '../import-result.ts'
import { bodyErrors, type Operation } from '../operation.ts'
import { idempotencyKey, prefer } from '../parameters.ts'
import { Type } from '../schema.ts'
import { ListOrdersQuery } from './orders.ts'
import { ListPetsQuery } from './pets.ts'

const csv = 'text/csv'
const ndjson = 'application/x-ndjson'

export const ImportPetsQuery = Type.Object({
  importId: Type.Optional(
    Type.Unsafe<string>({
      ...ImportId,
      description:
        'Groups the requests of one import, such as the parts of a large file, so that all their animals can be listed ' +
        'and removed together (`undoImport`). The client makes it: 1 to 64 letters, digits, `_` and `-`. It belongs to the ' +
        'key that uses it first. Without it the service makes one for this request.',
      examples: ['spring-2026'],
    }),
  ),
  mode: Type.Optional(
    Type.Unsafe<'all-or-nothing'>({
      type: 'string',
      enum: ['all-or-nothing'],
      description:
        'With `all-or-nothing` no animal is added if one row is rejected, or if the upload ends early. Such a file ' +
        `may have up to ${maxAllOrNothing} animals, and 2 Mi characters in their names.`,
      examples: ['all-or-nothing'],
    }),
  ),
  'create-categories': Type.Optional(
    Type.Unsafe<boolean>({
      type: 'boolean',
      description:
        'With `true`, categories that the file names and the shop lacks are made, each once and together with its ' +
        `first animals, up to ${maxNewCategories} in an import. Otherwise their rows are rejected.`,
      examples: [true],
    }),
  ),
  'dry-run': Type.Optional(
    Type.Unsafe<boolean>({
      type: 'boolean',
      description:
        'With `true` nothing is stored: the response says what the import would do, with `newCategories`, and ' +
        'with `earlier` if another import has added the same animals before and was not undone. An `Idempotency-Key` ' +
        'is not used, and may be sent again with the import itself.',
      examples: [true],
    }),
  ),
})
export type ImportPetsQuery = Static<typeof ImportPetsQuery>

export const importPets = {
  id: 'importPets',
  method: 'POST',
  path: '/pets/import',
  summary: 'Add the animals of a file',
  description:
    'Adds animals by the rules of `createPet`. The rows of a file are added in batches while it is sent, in their ' +
    `order; invalid rows are reported (the first ${maxListedRejects}) and skipped. The first line of a CSV file names ` +
    'the columns: `name`, `categoryId` or `categoryName` and, if there is one, `status`; others are ignored, ids too. ' +
    'It also shows whether they are separated by comma, semicolon or tab; a line such as `sep=;`, which Excel reads, may ' +
    'come before it. `categoryName` is the name of a category, or differs from it only in case and accents; it counts ' +
    'if a row has no `categoryId`. A name that no category has, or several have, is a reason to reject the row. The ' +
    'case of a status does not count. If the upload or the service stops early, whole batches were added; an error ' +
    'says how many animals. With an `Idempotency-Key` a retry with the same file is safe: it adds only the rows that ' +
    'are missing. An import can be undone: its `importId` is in the response.',
  permission: 'write',
  stability: 'experimental',
  parameters: { query: ImportPetsQuery, header: idempotencyKey('add the animals of a file') },
  files: {
    [csv]: {
      description: 'RFC 4180 in UTF-8, or in UTF-16 with a byte order mark, up to 1 GiB.',
      example: 'name,categoryId,status\nRex,1,available\n',
    },
    [ndjson]: {
      description:
        'A NewPet on each line, which may have `categoryName` instead of `categoryId`, in the same encodings, up to 1 GiB.',
      example: '{"name":"Rex","categoryId":1,"status":"available"}\n',
    },
  },
  success: {
    status: 200,
    description: 'The whole file was read. Rows may have been rejected.',
    body: ImportResult,
    headers: ['Idempotent-Replayed'],
  },
  errors: [...bodyErrors, 'conflict', 'idempotency_mismatch'],
  errorMeanings: {
    invalid_body: 'The file cannot be read: its header lacks a column, or a line is longer than 1 MiB.',
    payload_too_large: `The file is larger than 1 GiB, or has more than ${maxAllOrNothing} animals to add all or nothing.`,
    unsupported_media_type: 'The body is neither CSV nor NDJSON.',
    request_timeout: `The file arrives too slowly: less than ${importProgress.minProgressBytes / 1024} KiB in ${importProgress.stallTimeoutMs / 1000} seconds.`,
    idempotency_mismatch: 'The Idempotency-Key was used with another file.',
    conflict:
      'The `importId` belongs to another key, to an import that was undone, or to one that is not listed any more. Or: a ' +
      'request with this Idempotency-Key is still in flight.',
  },
} as const satisfies Operation

// The filters come from the list. Its pages and orders have no meaning here: an export has all animals, by id.
const { limit: _limit, cursor: _cursor, sort: _sort, ...filters } = ListPetsQuery.properties

const format = Type.Unsafe<'csv' | 'ndjson'>({
  type: 'string',
  enum: ['csv', 'ndjson'],
  default: 'csv',
  description: 'The format of the file. `spreadsheet` and `separator` are refused with `ndjson`.',
  examples: ['csv'],
})

function spreadsheet(also = '') {
  return Type.Optional(
    Type.Unsafe<boolean>({
      type: 'boolean',
      description:
        'With `true`, for people: a CSV file begins with a byte order mark, so that spreadsheets know its encoding' +
        `${also}. Not with \`format=ndjson\`.`,
      examples: [true],
    }),
  )
}

const separator = Type.Optional(
  Type.Unsafe<'comma' | 'semicolon' | 'tab'>({
    type: 'string',
    enum: ['comma', 'semicolon', 'tab'],
    description: 'What separates the columns of a CSV file; comma by default. Not with `format=ndjson`.',
    examples: ['semicolon'],
  }),
)

const exportHeader = prefer({
  'export-end':
    'adds a last line, `{"end":{"bytes":1234}}`, with the number of bytes before it: a file without it was cut off',
})

export const ExportPetsQuery = Type.Object({
  format,
  spreadsheet: spreadsheet(', and has a last column `categoryName`, which is empty if the category has no name'),
  separator,
  ...filters,
})
export type ExportPetsQuery = Static<typeof ExportPetsQuery>

export const exportPets = {
  id: 'exportPets',
  method: 'GET',
  path: '/pets/export',
  summary: 'Read all animals as a file',
  description:
    'Returns all matching animals, ascending by id, as a file that `importPets` takes. Every animal that exists from ' +
    'the beginning to the end is in it once; animals that are added meanwhile may be. The file is read in ' +
    'batches of 200: each is one state of the shop. If the connection breaks before the end, the file is not complete. A name that a spreadsheet would take for a formula is sent as it is.',
  permission: 'read',
  stability: 'experimental',
  parameters: {
    query: ExportPetsQuery,
    header: exportHeader,
  },
  success: {
    status: 200,
    description: 'The file.',
    files: {
      [csv]: {
        description: 'RFC 4180 in UTF-8. An animal without a status has an empty one.',
        example: 'id,name,categoryId,status\n1,Rex,1,available\n',
      },
      [ndjson]: {
        description: 'A Pet on each line.',
        example: '{"id":1,"name":"Rex","categoryId":1,"status":"available"}\n',
      },
    },
    headers: ['Content-Disposition'],
  },
  errors: [],
} as const satisfies Operation

const { limit: _orders, cursor: _orderCursor, sort: _order, ...orderFilters } = ListOrdersQuery.properties

export const ExportOrdersQuery = Type.Object({ format, spreadsheet: spreadsheet(), separator, ...orderFilters })
export type ExportOrdersQuery = Static<typeof ExportOrdersQuery>

export const exportOrders = {
  id: 'exportOrders',
  method: 'GET',
  path: '/store/orders/export',
  summary: 'Read all orders as a file',
  description:
    'Returns all matching orders, ascending by id, as a file. Every order that exists from the beginning to the end is in ' +
    'it once; orders that are placed meanwhile may be. The file is read in batches of 200: each is one state of the ' +
    'shop. If the connection breaks before the end, the file is not complete. ' +
    'A text that a spreadsheet would take for a formula is sent as it is.',
  permission: 'read',
  stability: 'experimental',
  parameters: { query: ExportOrdersQuery, header: exportHeader },
  success: {
    status: 200,
    description: 'The file.',
    files: {
      [csv]: {
        description: 'RFC 4180 in UTF-8. What an order does not have is empty.',
        example:
          'id,petId,status,placedAt,updatedAt,customer,note\n' +
          '2,2,placed,2026-01-06T09:00:00.000Z,2026-01-06T09:00:00.000Z,Ada Lovelace,Collects on Saturday.\n',
      },
      [ndjson]: {
        description: 'An Order on each line.',
        example:
          '{"id":2,"petId":2,"status":"placed","placedAt":"2026-01-06T09:00:00.000Z",' +
          '"updatedAt":"2026-01-06T09:00:00.000Z","customer":"Ada Lovelace","note":"Collects on Saturday."}\n',
      },
    },
    headers: ['Content-Disposition'],
  },
  errors: [],
} as const satisfies Operation
