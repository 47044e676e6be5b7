import { animalModel } from './animal-model.ts'
import { answerChecker } from './answers.ts'
import { checkRules, eventsByRequest, Feed, positionOf } from './feed.ts'
import { type Anomaly, type Call, type FeedEvent, type History, isDone, isRead } from './history.ts'
import { linearize } from './linearizable.ts'

/** Everything that is wrong with a history. Empty: there is one story that all answers fit. */
export function check(history: History): Anomaly[] {
  const calls = history.calls.toSorted((a, b) => a.invoked - b.invoked)
  const byRequest = eventsByRequest(history.feed)
  return [
    ...calls
      .filter(({ answer }) => answer?.status === 500)
      .map((call) => ({ rule: 'the service failed', calls: [call] })),
    ...checkRules(history.feed),
    ...checkAnimals(calls, history.feed, byRequest),
    ...checkWrites(calls, byRequest),
    ...checkKeys(calls, byRequest),
    ...checkOneState(calls, new Feed(history.feed), byRequest),
    ...checkEnd(history),
  ]
}

/**
 * Each animal for itself. The feed says only which writes without an answer were carried out, and the id of an animal
 * whose creator got none: their order is found without it.
 */
function checkAnimals(
  calls: readonly Call[],
  feed: readonly FeedEvent[],
  byRequest: Map<string, FeedEvent[]>,
): Anomaly[] {
  const animalOfOrder = new Map<number, number>()
  for (const { type, data } of feed)
    if (type === 'petstore.order.placed') animalOfOrder.set(data.id, (data as { petId: number }).petId)
  const about = (call: Call): number | undefined => {
    const { ask, answer } = call
    switch (ask.kind) {
      case 'get':
      case 'rename':
      case 'remove':
        return ask.id
      case 'order':
        return ask.petId
      case 'close':
        return animalOfOrder.get(ask.orderId)
      case 'create':
        return answer?.status === 201 ? (answer.body as { id: number }).id : byRequest.get(call.id)?.at(-1)?.data.id
      default:
        return undefined
    }
  }
  const known = calls
    .filter((call) => call.answer !== undefined || (call.isMaybe && byRequest.has(call.id)))
    .filter(isNoReplay(byRequest))
  const wrong: Anomaly[] = []
  for (const [id, ofAnimal] of Map.groupBy(known, about)) {
    if (id === undefined) continue
    const spans = ofAnimal.map((call) => ({ ...call, operation: withAnswer(call, byRequest) }))
    if (linearize(spans, animalModel) === undefined)
      wrong.push({ rule: `the answers about animal ${id} fit no order`, calls: ofAnimal })
  }
  return wrong
}

/** A repeated request with an Idempotency-Key gets the answer of the first: it says nothing about the state. */
function isNoReplay(byRequest: Map<string, FeedEvent[]>): (call: Call) => boolean {
  return (call) => !hasKey(call) || !isDone(call) || byRequest.has(call.id)
}

function keyOf({ ask }: Call): string | undefined {
  return 'idempotencyKey' in ask ? ask.idempotencyKey : undefined
}

function hasKey(call: Call): boolean {
  return keyOf(call) !== undefined
}

/** A create or an order without an answer that the feed has: what it made is known from there. */
function withAnswer(call: Call, byRequest: Map<string, FeedEvent[]>): Call {
  if (call.answer !== undefined || (call.ask.kind !== 'create' && call.ask.kind !== 'order')) return call
  const made = byRequest.get(call.id)?.at(-1)
  return made === undefined ? call : { ...call, answer: { status: 201, body: made.data } }
}

/** What was acknowledged is in the feed as it was answered; what was refused is not. */
function checkWrites(calls: readonly Call[], byRequest: Map<string, FeedEvent[]>): Anomaly[] {
  const wrong: Anomaly[] = []
  for (const call of calls) {
    if (isRead(call.ask) || call.isMaybe) continue
    const event = byRequest.get(call.id)?.at(-1)
    if (!isDone(call)) {
      if (event !== undefined) wrong.push({ rule: `a refused write is event ${event.id}`, calls: [call] })
    } else if (event === undefined) {
      if (!hasKey(call)) wrong.push({ rule: 'an acknowledged write has no event', calls: [call] })
    } else if (call.answer?.status !== 204 && JSON.stringify(event.data) !== JSON.stringify(call.answer?.body)) {
      wrong.push({ rule: `an acknowledged write is another one as event ${event.id}`, calls: [call] })
    }
  }
  return wrong
}

/** Of all requests with one key, one was carried out at most, and all that succeeded got its answer. */
function checkKeys(calls: readonly Call[], byRequest: Map<string, FeedEvent[]>): Anomaly[] {
  const wrong: Anomaly[] = []
  for (const [key, ofKey] of Map.groupBy(calls, keyOf)) {
    if (key === undefined) continue
    const events = ofKey.flatMap(({ id }) => byRequest.get(id)?.at(-1) ?? [])
    if (events.length > 1) wrong.push({ rule: `the key ${key} was carried out ${events.length} times`, calls: ofKey })
    const [event] = events
    const others = ofKey.filter(
      (call) => isDone(call) && JSON.stringify(call.answer?.body) !== JSON.stringify(event?.data),
    )
    if (others.length > 0) wrong.push({ rule: `the key ${key} got several answers`, calls: ofKey })
  }
  return wrong
}

/**
 * Every answer is true of one state between its request and its response, and later requests see no earlier state. To
 * take the first state that fits is best: it leaves most room to those that follow.
 */
function checkOneState(calls: readonly Call[], feed: Feed, byRequest: Map<string, FeedEvent[]>): Anomaly[] {
  const { fits, wasAllowed } = answerChecker(calls, feed)
  const wrong: Anomaly[] = []
  const begins = calls.map((call) => ({ invoked: call.invoked, position: positionOf(call, byRequest) ?? Infinity }))
  /** The first event of a request that began after each call's response: nobody can have seen it before. */
  const firstLater = laterPositions(begins)
  /** Once its key was carried out, a request is no longer refused. */
  const keyedAt = new Map<string | undefined, number>(
    calls.filter(hasKey).flatMap((call) => {
      const position = positionOf(call, byRequest)
      return position === undefined ? [] : [[keyOf(call), position]]
    }),
  )
  /** Has ended, but maybe not before the next one began. */
  let recent: Seen[] = []
  /** Of all that ended before this one began, the one that saw the latest state. */
  let latest: Seen | undefined
  for (const call of calls) {
    if (call.answer === undefined) continue
    for (const seen of recent.filter(({ call: { returned } }) => returned < call.invoked))
      if (latest === undefined || seen.position > latest.position) latest = seen
    recent = recent.filter(({ call: { returned } }) => returned > call.invoked)
    const from = latest?.position ?? 0
    const to = Math.min(feed.events.length, firstLater(call.returned) - 1)
    const position = isDone(call) ? written(call, from) : firstFit(call, from, to)
    if (position !== undefined && position >= from && position <= to) recent.push({ call, position })
    else
      wrong.push({
        rule: `an answer is true of no state from event ${from} to event ${to}`,
        calls: [...(latest ? [latest.call] : []), call],
      })
  }
  return wrong

  /** A replay of an answer was written earlier: it holds nobody to its position. */
  function written(call: Call, from: number): number | undefined {
    const position = positionOf(call, byRequest)
    if (position === undefined) return hasKey(call) ? from : undefined
    const before = position - (byRequest.get(call.id)?.length ?? 1)
    for (const [, state] of feed.states(before, before)) if (wasAllowed(call, state)) return position
    return undefined
  }

  function firstFit(call: Call, from: number, latest: number): number | undefined {
    const { ask, answer } = call
    const to = Math.min(latest, (keyedAt.get(keyOf(call)) ?? Infinity) - 1)
    for (const [position, state] of feed.states(from, to))
      if (answer !== undefined && fits(ask, answer, state, position)) return position
    return undefined
  }
}

/** A call, and the number of events before the state that it saw or wrote. */
interface Seen {
  call: Call
  position: number
}

/** For a moment: the lowest position that was written by a request that began later. */
function laterPositions(begins: readonly { invoked: number; position: number }[]): (moment: number) => number {
  const lowest = Array.from({ length: begins.length + 1 }, () => Infinity)
  for (let index = begins.length - 1; index >= 0; index--)
    lowest[index] = Math.min(lowest[index + 1] as number, (begins[index] as { position: number }).position)
  return (moment) => {
    let [low, high] = [0, begins.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((begins[middle] as { invoked: number }).invoked > moment) high = middle
      else low = middle + 1
    }
    return lowest[low] as number
  }
}

function checkEnd({ feed, animals }: History): Anomaly[] {
  const replayed = [...new Feed(feed).last().animals.values()].toSorted((a, b) => a.id - b.id)
  return JSON.stringify(replayed) === JSON.stringify(animals)
    ? []
    : [
        {
          rule: `the animals at the end are not those of the feed: ${JSON.stringify({ replayed, animals }).slice(0, 2_000)}`,
          calls: [],
        },
      ]
}
