import { Order } from './order.ts'
import { Pet } from './pet.ts'
import { encodePosition } from './position.ts'
import { messageSchema, Type } from './schema.ts'

/** The types of events. Clients see them with the prefix `petstore.`. */
export type EventType = (typeof eventTypes)[number]

export const eventTypes = [
  'pet.created',
  'pet.updated',
  'pet.deleted',
  'order.placed',
  'order.completed',
  'order.cancelled',
] as const

/** Events that a request with a filter looks through, unless an index finds them. */
export const maxEventsSearched = 5_000

/** Who makes a change. */
export interface Author {
  /** The id of the API key, and its name at the time of the change. The command line has no key, only a name. */
  keyId?: string
  keyName: string
  /** The id of the request, as in `X-Request-Id` and in the log. */
  requestId?: string
}

/** An event as it is stored. */
export interface ShopEvent {
  /** 1, 2, 3, … in commit order, without gaps. */
  id: bigint
  /**
   * The lineage in which the id was given. A database that lost its latest events gives their ids again, in another
   * lineage: both together are given once. Undefined if the database does not know it.
   */
  lineage?: string | undefined
  type: EventType
  /** The id of the animal or the order. */
  subject: bigint
  /** Milliseconds since 1970. */
  at: number
  /** The JSON of the animal or order after the change; of a deleted animal, before it. */
  data: string
  /** The JSON of the author; unknown for events of earlier versions. */
  author?: string | undefined
  /** The stored row is damaged: the event keeps its place, but nobody is sent it, and only `id` is true. */
  isUnreadable?: true
}

const petExample = { id: 1, name: 'Rex', categoryId: 1, status: 'available' }
const orderExample = {
  id: 1,
  petId: 1,
  status: 'placed',
  placedAt: '2026-11-15T09:30:00.000Z',
  updatedAt: '2026-11-15T09:30:00.000Z',
}

/** The schema of one type of event, a CloudEvent; `encodeEvent` makes it. */
function cloudEvent(name: string, type: EventType, description: string) {
  const isOrder = type.startsWith('order.')
  const example = {
    specversion: '1.0',
    id: '17-k3x9Qa7B',
    source: '/v1',
    type: `petstore.${type}`,
    subject: isOrder ? 'store/orders/1' : 'pets/1',
    time: '2026-11-15T09:30:00.000Z',
    datacontenttype: 'application/json',
    sequence: '0000000000000000017',
    keyid: 'key_8h2Kq0aZ',
    keyname: 'Front desk',
    requestid: '3f2a9c41d07b-1k',
    data: isOrder ? { ...orderExample, status: type.replace('order.', '') } : petExample,
  }
  const schema = Type.Object(
    {
      specversion: constant('1.0', 'The version of CloudEvents.'),
      id: word(
        'The id of the event, at most 64 characters. `source` and `id` together belong to one event for ever, also after a ' +
          'backup was restored. Opaque. Send it as `after` to get the next events.',
        example.id,
      ),
      source: word('The base address of the service.', example.source),
      type: constant(example.type, 'What happened.'),
      subject: word('The path of the animal or the order, below the base address.', example.subject),
      time: Type.String({ format: 'date-time', description: 'When.', examples: [example.time] }),
      datacontenttype: word('What `data` is.', example.datacontenttype),
      sequence: word(
        'The number of the event, without gaps, with leading zeros: 19 digits, so that texts are in the order of the ' +
          'events (an extension of CloudEvents). After a backup was restored, numbers are given again.',
        example.sequence,
      ),
      keyid: Type.Optional(
        word('The id of the API key that made the change; absent if it was made on the command line.', example.keyid),
      ),
      keyname: Type.Optional(
        word(
          'The name of that key at the time of the change, or `command line`; absent if it is not known.',
          example.keyname,
        ),
      ),
      requestid: Type.Optional(word('The `X-Request-Id` of the request that made the change.', example.requestid)),
      data: isOrder ? Order : Pet,
    },
    { $id: name, description, examples: [example] },
  )
  return messageSchema(schema)
}

/** A schema for each type of event. */
export const eventSchemas = [
  cloudEvent('PetCreatedEvent', 'pet.created', 'An animal was added; `data` is the animal.'),
  cloudEvent('PetUpdatedEvent', 'pet.updated', 'An animal was changed; `data` is the animal after the change.'),
  cloudEvent('PetDeletedEvent', 'pet.deleted', 'An animal was removed; `data` is the animal as it was before.'),
  cloudEvent(
    'OrderPlacedEvent',
    'order.placed',
    'An order was placed; `data` is the order, without `customer` and `note`.',
  ),
  cloudEvent(
    'OrderCompletedEvent',
    'order.completed',
    'An order was completed; `data` is the order after the change, without `customer` and `note`.',
  ),
  cloudEvent(
    'OrderCancelledEvent',
    'order.cancelled',
    'An order was cancelled; `data` is the order after the change, without `customer` and `note`.',
  ),
]

const examples = eventSchemas[0]?.examples ?? []

/** Not called `Event` in the document: generated code would shadow the browser's own `Event`. */
const ShopEventBody = Type.Unsafe<object>({
  $id: 'ShopEvent',
  description: 'A change in the shop, as a CloudEvent 1.0. `type` says which.',
  oneOf: eventSchemas,
  discriminator: {
    propertyName: 'type',
    mapping: Object.fromEntries(
      eventSchemas.map(({ $id, properties }) => [properties.type.const, `#/components/schemas/${$id}`]),
    ),
  },
  examples,
})

export const ShopEvents = Type.Array(ShopEventBody, {
  $id: 'ShopEvents',
  description: 'Events, in the order in which they happened.',
  examples: [examples],
})

export function constant(value: string, description: string) {
  return Type.Unsafe<string>({ type: 'string', const: value, description, examples: [value] })
}

function word(description: string, sample: string) {
  return Type.String({ description, examples: [sample] })
}

/** The JSON of an event, a CloudEvent. `source` is the base address of the service. */
export function encodeEvent(event: ShopEvent, source: string): string {
  const { id, type, subject, at, data, author } = event
  const path = type.startsWith('pet') ? 'pets' : 'store/orders'
  return (
    `{"specversion":"1.0","id":"${encodePosition(event)}","source":${JSON.stringify(source)},"type":"petstore.${type}",` +
    `"subject":"${path}/${subject}","time":"${new Date(at).toISOString()}",` +
    `"datacontenttype":"application/json","sequence":"${sequenceOf(id)}"${author === undefined ? '' : `,${author.slice(1, -1)}`},"data":${data}}`
  )
}

/** In CloudEvents, sequences must be comparable as texts. The highest int64 has 19 digits. */
function sequenceOf(id: bigint): string {
  return String(id).padStart(19, '0')
}

/** The JSON of an author: CloudEvents extension attributes, whose names have lower-case letters and digits only. */
export function encodeAuthor({ keyId: keyid, keyName: keyname, requestId: requestid }: Author): string {
  return JSON.stringify({ keyid, keyname, requestid })
}

/** How the JSON of every author with this key begins. */
export function authorPrefix(keyId: string): string {
  return `${JSON.stringify({ keyid: keyId }).slice(0, -1)},`
}

/** The author of the changes of the command line, which has no API key. */
export const commandLineAuthor = encodeAuthor({ keyName: 'command line' })
