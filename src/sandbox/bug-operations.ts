import { bodyErrors, type Operation } from '../contract/operation.ts'
import { Type } from '../contract/schema.ts'
import { bugNames } from './bugs/catalogue.ts'

const BugNames = Type.Array(
  Type.Unsafe<string>({
    type: 'string',
    enum: bugNames,
    description: 'The name of a bug of the catalogue.',
    examples: [bugNames[0]],
  }),
  { $id: 'BugNames', description: 'The ways in which a shop is wrong.', examples: [[bugNames[0]]] },
)

export const listBugs = {
  id: 'listBugs',
  method: 'GET',
  path: '/sandbox/bugs',
  summary: 'List the bugs of the shop',
  description: 'In a sandbox that was started with `--mystery` the bugs are hidden: 403.',
  permission: 'admin',
  stability: 'experimental',
  success: { status: 200, description: 'The bugs.', body: BugNames, headers: [] },
  errors: ['forbidden'],
} as const satisfies Operation

export const putBugs = {
  id: 'putBugs',
  method: 'PUT',
  path: '/sandbox/bugs',
  summary: 'Make the shop wrong',
  description:
    'Replaces the bugs of the shop; an empty array makes it right again. Its animals, clock, faults and journal stay. ' +
    'Streams end. The operations of the sandbox itself have no bugs. A reset, or a snapshot that is restored, returns to ' +
    'the bugs that the sandbox was started with: none, unless it was started with `--bug`.',
  permission: 'admin',
  stability: 'experimental',
  body: BugNames,
  success: { status: 200, description: 'The bugs.', body: BugNames, headers: [] },
  errors: [...bodyErrors, 'forbidden'],
} as const satisfies Operation
