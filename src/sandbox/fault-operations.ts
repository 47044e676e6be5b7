import { bodyErrors, type Operation } from '../contract/operation.ts'
import { Type } from '../contract/schema.ts'
import { bounds, faultNames, faultStatuses } from './fault-rules.ts'

const ruleMembers = {
  operation: Type.Optional(
    Type.String({ description: 'The id of an operation; absent for all.', examples: ['createPet'] }),
  ),
  fault: Type.Unsafe<string>({
    type: 'string',
    enum: faultNames,
    description: 'What goes wrong. A number is the status of a response.',
    examples: ['committed-then-cut'],
  }),
  seconds: Type.Optional(
    Type.Unsafe<number>({
      type: 'number',
      ...bounds.seconds,
      description: 'How long it takes.',
      examples: [2],
    }),
  ),
  times: Type.Optional(
    Type.Integer({ ...bounds.times, description: 'How often it is applied; absent for always.', examples: [1] }),
  ),
  after: Type.Optional(Type.Integer({ ...bounds.after, description: 'How many requests pass before.', examples: [0] })),
  share: Type.Optional(
    Type.Unsafe<number>({
      type: 'number',
      ...bounds.share,
      description: 'The part of the requests it is applied to.',
      examples: [1],
    }),
  ),
  seed: Type.Optional(
    Type.Integer({ ...bounds.seed, description: 'Chooses them: the same seed, the same requests.', examples: [1] }),
  ),
}
const FaultRule = Type.Object(
  {
    ...ruleMembers,
    fault: Type.Unsafe<string | number>({
      type: ['string', 'integer'],
      enum: [...faultNames, ...faultStatuses],
      description: 'What goes wrong. A number, or its digits as a text, is the status of a response.',
      examples: [503],
    }),
  },
  {
    $id: 'FaultRule',
    description: 'A fault and when it is applied.',
    examples: [{ fault: 503, times: 2 }],
  },
)
const FaultRules = Type.Array(FaultRule, {
  $id: 'FaultRules',
  description: 'Faults. The first one that matches a request is applied.',
  examples: [[{ fault: 503, times: 2 }]],
})

const example = { fault: '503', times: 2, applied: 1 }
const AppliedFaults = Type.Array(
  Type.Object(
    {
      ...ruleMembers,
      applied: Type.Integer({ minimum: 0, description: 'How often it was applied.', examples: [1] }),
    },
    { $id: 'AppliedFault', description: 'A fault and how often it was applied.', examples: [example] },
  ),
  { $id: 'AppliedFaults', description: 'Faults, in their order.', examples: [[example]] },
)

export const listFaults = {
  id: 'listFaults',
  method: 'GET',
  path: '/sandbox/faults',
  summary: 'List the faults of the shop',
  description: 'Each has in `applied` how often it was applied.',
  permission: 'admin',
  stability: 'experimental',
  success: { status: 200, description: 'The faults.', body: AppliedFaults, headers: [] },
  errors: [],
} as const satisfies Operation

export const putFaults = {
  id: 'putFaults',
  method: 'PUT',
  path: '/sandbox/faults',
  summary: 'Let requests go wrong',
  description:
    'Replaces the faults of the shop. For one request, send `Prefer: fault=NAME; seconds=2` instead. The operations of ' +
    'the sandbox itself have no faults. A reset removes them.',
  permission: 'admin',
  stability: 'experimental',
  body: FaultRules,
  success: { status: 200, description: 'The faults.', body: AppliedFaults, headers: [] },
  errors: bodyErrors,
} as const satisfies Operation

export const deleteFaults = {
  id: 'deleteFaults',
  method: 'DELETE',
  path: '/sandbox/faults',
  summary: 'Remove all faults',
  description: 'Requests are carried out as they should be.',
  permission: 'admin',
  stability: 'experimental',
  success: { status: 204, description: 'There are no faults.', headers: [] },
  errors: [],
} as const satisfies Operation
