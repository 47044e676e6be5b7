import { Order } from './order.ts'
import { Pet } from './pet.ts'
import { Type } from './schema.ts'

/** What can happen in the shop. On the wire with `petstore.` before it. */
export type EventType = (typeof types)[number]

const types = [
  'pet.created',
  'pet.updated',
  'pet.deleted',
  'order.placed',
  'order.completed',
  'order.cancelled',
] as const

/** Something that happened, as it is kept. */
export interface ShopEvent {
  /** 1, 2, 3, … in the order of the commits, without gaps. */
  id: bigint
  type: EventType
  /** The id of the animal or the order. */
  subject: bigint
  /** Milliseconds since 1970. */
  at: number
  /** The wire form of the animal or the order after it; of a deleted animal, before it. */
  data: string
}

const example = {
  specversion: '1.0',
  id: '17',
  source: '/v1',
  type: 'petstore.pet.created',
  subject: 'pets/1',
  time: '2026-11-15T09:30:00.000Z',
  datacontenttype: 'application/json',
  data: { id: 1, name: 'Rex', categoryId: 1, status: 'available' },
}

/** Its wire form, a CloudEvent; `encodeEvent` makes it. */
export const CloudEvent = Type.Object(
  {
    specversion: Type.Enum(['1.0'], { type: 'string', description: 'The version of CloudEvents.', examples: ['1.0'] }),
    id: word('Counts the events, without gaps: what to ask for the next ones with.', example.id),
    source: word('The base address of the service.', example.source),
    type: Type.Enum(
      types.map((type) => `petstore.${type}`),
      { type: 'string', description: 'What happened.', examples: [example.type] },
    ),
    subject: word('To whom: the path of the animal or the order, below the base address.', example.subject),
    time: Type.String({ format: 'date-time', description: 'When.', examples: [example.time] }),
    datacontenttype: word('What `data` is.', example.datacontenttype),
    data: Type.Unsafe<object>({
      oneOf: [Pet, Order],
      description: 'The animal or the order after it happened; a deleted animal as it was before.',
      examples: [example.data],
    }),
  },
  { $id: 'Event', description: 'Something that happened, as a CloudEvent 1.0.', examples: [example] },
)

export const ShopEvents = Type.Array(CloudEvent, {
  $id: 'Events',
  description: 'Events, in the order in which they happened.',
  examples: [[example]],
})

function word(description: string, sample: string) {
  return Type.String({ description, examples: [sample] })
}
