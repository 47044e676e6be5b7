import type { Static } from 'typebox'
import { ShopEvents } from '../event.ts'
import type { Operation } from '../operation.ts'
import { id, type IdSort, limitOf, newestFirst, sort } from '../parameters.ts'
import { positionForm } from '../position.ts'
import { Type } from '../schema.ts'

export const ListEventsQuery = Type.Object({
  limit: limitOf('events'),
  sort: sort<IdSort>(
    ['id', '-id'],
    `${newestFirst} With \`-id\`, \`after\` continues with older events. A stream takes no \`-id\`.`,
  ),
  petId: Type.Optional(
    id(
      'Returns only the events of the animal with this id, and of its orders, which change its status. A stream takes none.',
    ),
  ),
  orderId: Type.Optional(
    id('Returns only the events of the order with this id. Not together with `petId`. A stream takes none.'),
  ),
  after: Type.Optional(
    Type.String({
      pattern: positionForm,
      'x-form': { 'that is the id of an event of this service': positionForm },
      description:
        'Returns only events after the one with this id; 0 for all. The `Link` header and the `id` of a stream have more ' +
        'than that: with it, a position that was lost with a database is refused. Opaque, not to be made up.',
      examples: ['0'],
    }),
  ),
})
export type ListEventsQuery = Static<typeof ListEventsQuery>

export const listEvents: Operation = {
  id: 'listEvents',
  method: 'GET',
  path: '/events',
  summary: 'Follow what happens',
  description:
    'Returns what happened in the shop, in the order in which it happened, without gaps, as CloudEvents 1.0. Without ' +
    '`after` it starts with the oldest that is kept. Asked for `text/event-stream`, it sends events as they happen, from ' +
    '`Last-Event-ID` or `after` on, or from now on; a client that does not read is cut and may come back. A ' +
    'stream ends within a second of its API key, and when the next events are not kept any more: the reconnect gets 410.',
  permission: 'read',
  stability: 'experimental',
  parameters: {
    query: ListEventsQuery,
    header: Type.Object({
      'Last-Event-ID': Type.Optional(
        Type.String({
          description:
            'Streams only: the `id` that came with the last event, in place of `after`. Browsers send it by themselves.',
          examples: ['17-k3x9Qa7B'],
        }),
      ),
    }),
  },
  success: { status: 200, description: 'Events.', body: ShopEvents, isStreamed: true, headers: ['Link', 'ETag'] },
  errors: ['gone'],
  errorMeanings: {
    gone: 'Events after the given one are not kept any more, or it was lost with a database: something was missed.',
    rate_limited: 'The API key has used up its requests for now, or has too many streams open.',
  },
}
