import { encodeEvent, type EventType, type ShopEvent } from '../../contract/event.ts'
import { listEvents, type ListEventsQuery } from '../../contract/operations/events.ts'
import { decodePosition, encodePosition, type Position } from '../../contract/position.ts'
import { timeInMs } from '../../contract/time.ts'
import { PetStoreError } from '../../inventory/errors.ts'
import type { EventFilter, Events } from '../../inventory/events.ts'
import type { EventStreams } from '../events/event-stream.ts'
import type { Route } from '../exchange.ts'
import { prefersEventStream } from '../request/accept.ts'
import { encodeBody } from '../replies/page-body.ts'
import { encodedPage, pageReply } from '../replies/page.ts'
import { nextPage } from '../replies/cursor.ts'
import type { ReceivedRequest } from '../request/received-request.ts'
import { operationRoute } from '../route.ts'

export interface EventRoutesOptions {
  events: Events
  streams: EventStreams
  /** The `source` of every event. */
  source: string
}

export function eventRoutes({ events, streams, source }: EventRoutesOptions): Route[] {
  /** The start position of a stream. */
  async function startOf(after: Position | undefined): Promise<Position> {
    const latest = await events.latest()
    if (after === undefined) return latest
    const { items, missed, lineage } = await events.list(1, after.id, after.lineage)
    refuseMissed(missed, after)
    if (!missed) return { id: after.id, lineage }
    // 0 means the oldest stored event. There may be none up to `latest`.
    return items[0] === undefined ? latest : { id: items[0].id - 1n, lineage }
  }

  return [
    operationRoute(listEvents, async ({ query }, exchange) => {
      const { limit, sort } = query
      const filter = filterOf(query)
      const after = positionIn('after', query.after)
      exchange.response.addVary('Accept')
      if (wantsStream(exchange.request)) {
        refuseForStream(query)
        return streams.open(exchange, await startOf(lastEventId(exchange.request) ?? after))
      }
      const read = sort === '-id' ? events.listBackwards : events.list
      const { items, more, missed, end, lineage } = await read(
        limit,
        after?.id,
        after?.lineage,
        filter,
        exchange.caller,
      )
      if (after !== undefined) refuseMissed(missed, after)
      const position = end === undefined ? undefined : encodePosition({ id: end, lineage })
      const next = more ? nextPage('/events', parametersOf(query), limit, { after: position }) : undefined
      const body = await encodeBody(items.filter(isReadable), (event) => encodeEvent(event, source), exchange)
      const headers = sort === '-id' || position === undefined ? {} : { 'event-position': position }
      return pageReply(exchange, encodedPage(body, { next }), headers)
    }),
  ]
}

function isReadable({ isUnreadable }: ShopEvent): boolean {
  return isUnreadable === undefined
}

function filterOf({ petId, orderId, type, keyid: keyId, from, to }: ListEventsQuery): EventFilter {
  if (petId !== undefined && orderId !== undefined) {
    throw new PetStoreError('invalid_parameter', 'orderId must not be given together with petId.', {
      fields: ['petId', 'orderId'],
    })
  }
  const [first, end] = [from, to].map((time) => (time === undefined ? undefined : timeInMs(time)))
  if (first !== undefined && end !== undefined && end <= first) {
    throw new PetStoreError('invalid_parameter', 'to must be later than from.', { fields: ['from', 'to'] })
  }
  return {
    petId,
    orderId,
    type: type?.slice('petstore.'.length) as EventType | undefined,
    keyId,
    from: first,
    to: end,
  }
}

/** For a link. A time may have a sign that must be encoded there. */
function parametersOf({ petId, orderId, type, keyid, from, to, sort }: ListEventsQuery) {
  return { petId, orderId, type, keyid, from: from && encodeURIComponent(from), to: to && encodeURIComponent(to), sort }
}

const listFilters = ['petId', 'orderId', 'type', 'keyid', 'from', 'to'] as const

/** All streams share one feed, in the order of the events. */
function refuseForStream({ sort, ...query }: ListEventsQuery): void {
  if (sort === '-id')
    throw new PetStoreError('invalid_parameter', 'sort must be id, or not given, for a stream.', { fields: ['sort'] })
  const filter = listFilters.find((name) => query[name] !== undefined)
  if (filter !== undefined)
    throw new PetStoreError('invalid_parameter', `${filter} must not be given for a stream.`, { fields: [filter] })
}

// HEAD gets the headers of the list: a stream would not end.
function wantsStream({ method, headers }: ReceivedRequest): boolean {
  return method === 'GET' && prefersEventStream(headers.accept)
}

function lastEventId({ headers }: ReceivedRequest): Position | undefined {
  const header = headers['last-event-id']
  return header === undefined || header === '' ? undefined : positionIn('Last-Event-ID', header)
}

function positionIn(name: string, text: string | undefined): Position | undefined {
  if (text === undefined) return undefined
  const position = decodePosition(text)
  if (position === undefined) {
    throw new PetStoreError(
      'invalid_parameter',
      `${name} must be a string that is the id of an event of this service.`,
      { fields: [name] },
    )
  }
  // A reader at 0 has seen nothing of a lost lineage either.
  return position.id === 0n ? { id: 0n } : position
}

function refuseMissed(missed: boolean, after: Position): void {
  if (!missed || after.id === 0n) return
  throw new PetStoreError(
    'gone',
    `The events after ${encodePosition(after)} have expired, or this position was lost with a database. ` +
      'Follow the events without "after", then read the lists again.',
  )
}
