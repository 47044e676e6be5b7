import type { Static } from 'typebox'
import { type EventType, eventTypes, maxEventsSearched, ShopEvents } from '../event.ts'
import type { Operation } from '../operation.ts'
import { id, idWithoutExample, type IdSort, limitOf, newestFirst, sort } from '../parameters.ts'
import { positionForm } from '../position.ts'
import { Type } from '../schema.ts'

const keyIdForm = '^[0-9A-Za-z_-]{1,64}$'

// Not by `toLocaleString`, which loads ICU: 25 ms of every start.
const searched =
  ` A request looks through ${String(maxEventsSearched).replace(/000$/, ',000')} events: a page may be short, or empty, and yet ` +
  'have a next one. Not for a stream.'

function time(description: string, example: string) {
  return Type.String({ format: 'date-time', description, examples: [example] })
}

export const ListEventsQuery = Type.Object({
  limit: limitOf('events'),
  sort: sort<IdSort>(
    ['id', '-id'],
    `${newestFirst} With \`-id\`, \`after\` continues with older events. Not for a stream.`,
  ),
  petId: Type.Optional(
    id(
      'Returns only the events of the animal with this id, and of its orders, which change its status. Not for a stream.',
    ),
  ),
  orderId: Type.Optional(
    idWithoutExample(
      'Returns only the events of the order with this id. Not together with `petId`, and not for a stream.',
    ),
  ),
  type: Type.Optional(
    Type.Unsafe<`petstore.${EventType}`>({
      type: 'string',
      enum: eventTypes.map((type) => `petstore.${type}`),
      description: `Returns only events of this type.${searched}`,
      examples: ['petstore.pet.created'],
    }),
  ),
  keyid: Type.Optional(
    Type.String({
      pattern: keyIdForm,
      'x-form': { 'that is the id of an API key': keyIdForm },
      description: `Returns only changes that were made with this API key.${searched}`,
      examples: ['key_krn63qiYIVuH'],
    }),
  ),
  from: Type.Optional(
    time(
      `Returns only events of this time or later. Times are those of the services that made the changes.${searched}`,
      '2026-01-01T00:00:00Z',
    ),
  ),
  to: Type.Optional(
    time(`Returns only events before this time. It must be later than \`from\`.${searched}`, '2099-12-31T00:00:00Z'),
  ),
  after: Type.Optional(
    Type.String({
      pattern: positionForm,
      'x-form': { 'that is the id of an event of this service': positionForm },
      description:
        'Returns only events after the one with this id; 0 for all. It is the `id` of an event, also of a stream, or an ' +
        '`Event-Position`. It names the history of the database: a position that was lost, for example by a restored ' +
        'backup, is refused. Opaque: send it back as it is. The bare number of an event is accepted too, but nobody can ' +
        'tell whether it was lost.',
      examples: ['0'],
    }),
  ),
})
export type ListEventsQuery = Static<typeof ListEventsQuery>

export const listEvents = {
  id: 'listEvents',
  method: 'GET',
  path: '/events',
  summary: 'Follow what happens',
  description:
    'Returns every change in the shop, in order and without gaps, as CloudEvents 1.0. Without `after` the list starts ' +
    'with the oldest event that is kept. With `Accept: text/event-stream` the response is a stream: it sends events as ' +
    'they happen, after `Last-Event-ID` or `after`, or from now on. A client that does not read is disconnected and may ' +
    'reconnect. A stream ends within a second of its API key, and when its next events are no longer kept; the reconnect ' +
    'then gets 410.',
  permission: 'read',
  stability: 'experimental',
  parameters: {
    query: ListEventsQuery,
    header: Type.Object({
      'Last-Event-ID': Type.Optional(
        Type.String({
          description:
            'Streams only: the `id` that came with the last event, in place of `after`. The `EventSource` of browsers ' +
            'cannot send an API key: read the stream with `fetch()` there, and send this header at a reconnect.',
        }),
      ),
    }),
  },
  success: {
    status: 200,
    description: 'Events.',
    body: ShopEvents,
    isStreamed: true,
    headers: ['Link', 'ETag', 'Event-Position'],
  },
  errors: ['gone'],
  errorMeanings: {
    gone:
      'Events after this position are no longer kept, or the position was lost, for example by a restored backup: some ' +
      'events were missed.',
    rate_limited: 'The API key has used up its requests for now, or has too many streams open.',
  },
} as const satisfies Operation
