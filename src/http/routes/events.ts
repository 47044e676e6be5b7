import type { FastifyRequest } from 'fastify'
import { int64FromText } from '../../contract/int64.ts'
import { encodeEvent, encodeList } from '../../contract/json.ts'
import { isOffered, type Offer } from '../../contract/operations.ts'
import { listEvents, ListEventsQuery } from '../../contract/operations/events.ts'
import { PetStoreError } from '../../inventory/errors.ts'
import type { Events } from '../../inventory/events.ts'
import { addVary } from '../replies/json-reply.ts'
import type { EventStreams } from '../events/event-stream.ts'
import type { App } from '../fastify-types.ts'
import { prefersEventStream } from '../gates/accept.ts'
import { encodedPage, sendPage } from '../replies/page.ts'
import { nextPage } from '../replies/cursor.ts'

export interface EventRoutesOptions {
  events: Events
  streams: EventStreams
  /** The `source` of every event. */
  source: string
  offer: Offer
}

export function eventRoutes(app: App, { events, streams, source, offer }: EventRoutesOptions): void {
  if (!isOffered(listEvents, offer)) return

  /** The id of the event that a stream starts after. */
  async function startOf(after: bigint | undefined): Promise<bigint> {
    const { id: latest } = await events.latest()
    if (after === undefined) return latest
    const { items, missed } = await events.list(1, after)
    refuseMissed(missed, after)
    if (!missed) return after
    // From 0 on, which is the oldest that is kept. Of those up to `latest` there may be none.
    return items[0] === undefined ? latest : items[0].id - 1n
  }

  const options = { schema: { querystring: ListEventsQuery }, config: { operation: listEvents } }
  app.get('/events', options, async (request, reply) => {
    const { limit, after } = request.query
    addVary(reply, 'Accept')
    if (wantsStream(request)) {
      streams.open(request, reply, await startOf(lastEventId(request) ?? after))
      return reply
    }
    const { items, more, missed } = await events.list(limit, after)
    if (after !== undefined) refuseMissed(missed, after)
    const next = more ? nextPage('/events', {}, limit, { after: items.at(-1)?.id }) : undefined
    sendPage(
      request,
      reply,
      encodedPage(
        encodeList(items, (event) => encodeEvent(event, source)),
        { next },
      ),
    )
    return reply
  })
}

// HEAD asks what the answer would look like; one without an end has nothing to say to that.
function wantsStream({ method, headers }: FastifyRequest): boolean {
  return method === 'GET' && prefersEventStream(headers.accept)
}

function lastEventId({ headers }: FastifyRequest): bigint | undefined {
  const header = headers['last-event-id']
  if (header === undefined || header === '') return undefined
  const id = int64FromText(String(header))
  if (id !== undefined && id >= 0n) return id
  throw new PetStoreError('invalid_parameter', 'Last-Event-ID must be the id of an event of this service.')
}

function refuseMissed(missed: boolean, after: bigint): void {
  if (!missed || after === 0n) return
  throw new PetStoreError(
    'gone',
    `Events after ${after} are not kept any more: read the lists anew, then follow the events without "after".`,
  )
}
