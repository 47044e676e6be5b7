import type { Static } from 'typebox'
import type { Operation } from '../contract/operation.ts'
import { Type } from '../contract/schema.ts'

const ListRequestsQuery = Type.Object({
  method: Type.Optional(Type.String({ description: 'Only requests with this method.', examples: ['POST'] })),
  path: Type.Optional(
    Type.String({ description: 'Only requests with this path, without a query.', examples: ['/v1/pets'] }),
  ),
  operation: Type.Optional(
    Type.String({ description: 'Only requests of the operation with this id.', examples: ['createPet'] }),
  ),
  status: Type.Optional(
    Type.Integer({
      minimum: 100,
      maximum: 599,
      description: 'Only requests whose response had this status.',
      examples: [201],
    }),
  ),
  after: Type.Optional(
    Type.Integer({ minimum: 0, description: 'Only requests after the one with this id.', examples: [1] }),
  ),
})
export type ListRequestsQuery = Static<typeof ListRequestsQuery>

const example = {
  id: 1,
  at: '2026-11-15T09:30:00.000Z',
  requestId: '3f2a9c41d07b-1k',
  method: 'POST',
  path: '/v1/pets',
  operation: 'createPet',
  headers: { authorization: '…', 'content-type': 'application/json' },
  body: '{"name":"Rex","categoryId":1}',
  bodyBytes: 29,
  status: 201,
  milliseconds: 2,
}

const text = (description: string, sample: string) => Type.String({ description, examples: [sample] })
const count = (description: string, sample: number) => Type.Integer({ minimum: 0, description, examples: [sample] })

const JournalEntry = Type.Object(
  {
    id: count('Ascends in the order in which the requests began.', example.id),
    at: Type.String({ format: 'date-time', description: 'When it began, in real time.', examples: [example.at] }),
    requestId: text('The `X-Request-Id` of the response.', example.requestId),
    method: text('The method.', example.method),
    path: text('The path with its query.', example.path),
    operation: Type.Optional(text('The id of the operation.', example.operation)),
    headers: Type.Unsafe<object>({
      type: 'object',
      additionalProperties: { type: 'string' },
      description: 'The headers as they were sent, without secrets.',
      examples: [example.headers],
    }),
    body: Type.Optional(text('The first 8 KiB of the body.', example.body)),
    bodyBytes: Type.Optional(count('The length of the whole body.', example.bodyBytes)),
    status: Type.Optional(count('The status of the response; absent if there was none.', example.status)),
    fault: Type.Optional(text('The fault that was applied.', '503')),
    milliseconds: Type.Optional(count('How long the response took.', example.milliseconds)),
  },
  { $id: 'JournalEntry', description: 'A request that a client sent.', examples: [example] },
)

export const listRequests = {
  id: 'listRequests',
  method: 'GET',
  path: '/sandbox/requests',
  summary: 'List what clients sent',
  description:
    'The latest requests to the shop, in order: up to 1,000, with 8 KiB of each body and 2 MiB in all. Those of the ' +
    'sandbox itself are not among them.',
  permission: 'admin',
  stability: 'experimental',
  parameters: { query: ListRequestsQuery },
  success: {
    status: 200,
    description: 'The requests.',
    body: Type.Array(JournalEntry, { $id: 'Journal', description: 'Requests, in order.', examples: [[example]] }),
    headers: [],
  },
  errors: [],
} as const satisfies Operation

export const deleteRequests = {
  id: 'deleteRequests',
  method: 'DELETE',
  path: '/sandbox/requests',
  summary: 'Forget what clients sent',
  description: 'Empties the journal. A reset does so as well.',
  permission: 'admin',
  stability: 'experimental',
  success: { status: 204, description: 'The journal is empty.', headers: [] },
  errors: [],
} as const satisfies Operation
