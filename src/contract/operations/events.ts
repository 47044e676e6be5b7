import type { Static } from 'typebox'
import { ShopEvents } from '../event.ts'
import { Int64 } from '../int64-schema.ts'
import type { Operation } from '../operation.ts'
import { limitOf } from '../parameters.ts'
import { Type } from '../schema.ts'

export const ListEventsQuery = Type.Object({
  limit: limitOf('events'),
  after: Type.Optional(
    Type.Unsafe<bigint>({
      ...Int64,
      minimum: 0,
      description: 'Returns only events after the one with this id; 0 for all.',
      examples: [0],
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
            'Streams only: the id of the last event that was read, in place of `after`. Browsers send it by themselves.',
          examples: ['17'],
        }),
      ),
    }),
  },
  success: { status: 200, description: 'Events.', body: ShopEvents, isStreamed: true, headers: ['Link', 'ETag'] },
  errors: ['gone'],
  errorMeanings: {
    gone: 'Events after the given one are not kept any more: something was missed.',
    rate_limited: 'The API key has used up its requests for now, or has too many streams open.',
  },
}
