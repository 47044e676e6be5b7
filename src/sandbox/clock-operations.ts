import type { Static } from 'typebox'
import { bodyErrors, type Operation } from '../contract/operation.ts'
import { Type } from '../contract/schema.ts'

export const maxSpeed = 1_000_000

const clockMembers = {
  now: Type.String({
    format: 'date-time',
    description: 'The time in the shop.',
    examples: ['2030-12-05T00:00:00.000Z'],
  }),
  speed: Type.Integer({
    minimum: 1,
    maximum: maxSpeed,
    description: 'How many seconds pass in the shop in a second.',
    examples: [60],
  }),
  frozen: Type.Unsafe<boolean>({
    type: 'boolean',
    enum: [true, false],
    description: 'Whether the time stands still.',
    examples: [false],
  }),
}

const ShopClock = Type.Object(clockMembers, {
  $id: 'ShopClock',
  description: 'The clock of a shop.',
  examples: [{ now: '2030-12-05T00:00:00.000Z', speed: 60, frozen: false }],
})

const ClockChange = Type.Object(
  {
    now: Type.Optional(clockMembers.now),
    advance: Type.Optional(
      Type.String({
        description: 'A duration (ISO 8601) to add to the time; with a minus it goes back.',
        examples: ['P1D'],
      }),
    ),
    speed: Type.Optional(clockMembers.speed),
    frozen: Type.Optional(clockMembers.frozen),
  },
  {
    $id: 'ClockChange',
    additionalProperties: false,
    description:
      'What to change. `now` and `advance` exclude each other; what is absent stays. Unknown members are refused.',
    examples: [{ advance: 'P1D' }],
  },
)
export type ClockChange = Static<typeof ClockChange>

export const getClock = {
  id: 'getClock',
  method: 'GET',
  path: '/sandbox/clock',
  summary: 'Read the clock of the shop',
  description: 'The time that orders, events and keys of the shop have now.',
  permission: 'admin',
  stability: 'experimental',
  success: { status: 200, description: 'The clock.', body: ShopClock, headers: [] },
  errors: [],
} as const satisfies Operation

export const putClock = {
  id: 'putClock',
  method: 'PUT',
  path: '/sandbox/clock',
  summary: 'Set the clock of the shop',
  description:
    'The time may go forth and back. It decides when keys and idempotency keys expire, when `getPet` is removed and ' +
    'when events are forgotten, and it is the time of orders, events and keys. Timeouts and the `Date` of responses ' +
    'have the real time. A reset returns to the real time.',
  permission: 'admin',
  stability: 'experimental',
  body: ClockChange,
  bodyExamples: { advance: { advance: 'P1D' }, set: { now: '2030-12-05T00:00:00.000Z', speed: 60, frozen: false } },
  success: { status: 200, description: 'The clock after the change.', body: ShopClock, headers: [] },
  errors: bodyErrors,
} as const satisfies Operation
