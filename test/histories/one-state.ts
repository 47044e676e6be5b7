import type { importChecker } from './imports.ts'
import { answerChecker, batchesOf, bulkChecker } from './answers.ts'
import { eventsOf, type Feed } from './feed.ts'
import {
  type Anomaly,
  type Answer,
  type Ask,
  type Call,
  type FeedEvent,
  isDone,
  isRead,
  keyOf,
  type Next,
  numberOf,
} from './history.ts'

/** Events beside an answer. */
const maxShownEvents = 30

/** A call, and the number of events before the state that it saw or wrote. */
interface Seen {
  call: Call
  position: number
  /** Who had seen the latest state before it. */
  after: Seen | undefined
}

/** With replicas, these may be read late. */
const mayBeLate = new Set<Ask['kind']>([
  'get',
  'getOrder',
  'list',
  'orders',
  'inventory',
  'days',
  'export',
  'exportOrders',
  'customers',
])

/**
 * Every answer is true of one state between its request and its response, and later requests see no earlier state. To
 * take the first state that fits is best: it leaves most room to those that follow.
 */
export function checkOneState(
  calls: readonly Call[],
  feed: Feed,
  byRequest: Map<string, FeedEvent[]>,
  imports: ReturnType<typeof importChecker>,
  lagMs: number,
): Anomaly[] {
  const seenBy = new Map<string, Seen>()
  const { fits, wasAllowed, teller } = answerChecker(calls, feed, imports, (id) => seenBy.get(id)?.position)
  const bulkFits = bulkChecker(feed)
  const wrong: Anomaly[] = []
  /** The first event of a request that began after each call's response: nobody can have seen it before. */
  const firstLater = laterPositions(calls.map((call) => ({ invoked: call.invoked, position: firstOf(call) })))
  /** Once its key was carried out, a request is no longer refused. */
  const keyedAt = new Map<string | undefined, number>(
    calls.flatMap((call) => {
      const position = positionOf(call)
      return keyOf(call) === undefined || position === undefined ? [] : [[keyOf(call), position]]
    }),
  )
  /** The latest state that somebody had seen before the first request with a key. */
  const firstWithKey = new Map<string, number>()
  const now = new Horizon()
  const late = new Horizon()
  for (const call of calls) {
    const { answer } = call
    if (answer === undefined && keyOf(call) === undefined) continue
    const latest = lagMs > 0 && mayBeLate.has(call.ask.kind) ? late.at(call.invokedMs - lagMs) : now.at(call.invoked)
    const from = latest?.position ?? 0
    const key = keyOf(call)
    if (key !== undefined && !firstWithKey.has(key)) firstWithKey.set(key, from)
    if (answer === undefined) continue
    const to = Math.min(feed.events.length, firstLater(call.returned) - 1)
    const position = isDone(call) ? written(call, answer, from) : seen(call, answer, from, to)
    if (position !== undefined && position >= from && position <= to) {
      const found = { call, position, after: latest }
      seenBy.set(call.id, found)
      now.add(found, call.returned)
      late.add(found, call.returnedMs)
    } else wrong.push(shown(call, answer, latest, to))
  }
  return wrong

  /** The smallest part of the history that shows it: what says that no earlier state, and no later one, was there. */
  function shown(call: Call, answer: Answer, latest: Seen | undefined, to: number): Anomaly {
    const from = latest?.position ?? 0
    const earlier = 'filter' in call.ask && 'next' in call.ask.filter ? call.ask.filter.next : undefined
    const before = [...reasonsFor(latest), ...reasonsFor(seenBy.get((earlier as Next<unknown>)?.since ?? ''))]
    const next = feed.events[to]
    const later = calls.find(({ id, invoked }) => invoked > call.returned && id === next?.requestid)
    const tellers = [...before, call].flatMap((each) => teller(each.ask) ?? [])
    const related = [...before, call].flatMap(relatedTo)
    const position = isDone(call)
      ? positionOf(call)
      : isRead(call.ask)
        ? firstFit(call.ask, answer, 0, feed.events.length)
        : undefined
    const elsewhere = position === undefined ? '' : `; it is true after event ${position}`
    return {
      rule: `an answer is true of no state from event ${from} to event ${to}${elsewhere}`,
      calls: [...new Set([...tellers, ...related, ...before, call, ...(later ? [later] : [])])],
      events: feed.events.slice(Math.max(0, from - 1), to + 1).slice(-maxShownEvents),
    }
  }

  /** Calls that show that somebody had seen a state. */
  function reasonsFor(seen: Seen | undefined): Call[] {
    if (seen === undefined) return []
    return [...(isTrueOfIt(seen) ? [] : reasonsFor(seen.after)), seen.call]
  }

  /** Requests with the same key, and those that added what is undone or listed. */
  function relatedTo({ ask }: Call): Call[] {
    const key = 'idempotencyKey' in ask ? ask.idempotencyKey : undefined
    return calls.filter(
      (each) =>
        (key !== undefined && keyOf(each) === key) ||
        (ask.kind === 'imports' && each.ask.kind === 'import') ||
        (ask.kind === 'undo' && each.ask.kind === 'import' && each.ask.importId === ask.importId),
    )
  }

  /** Whether a call alone says that its state was there, with nobody who saw one before. */
  function isTrueOfIt({ call, position }: Seen): boolean {
    if (isDone(call) || call.ask.kind === 'told') return true
    return isRead(call.ask) && firstFit(call.ask, call.answer as Answer, 0, position) === position
  }

  /** The number of events after the write, or undefined if the feed does not have it. */
  function positionOf(call: Call): number | undefined {
    const last = eventsOf(call, byRequest).at(-1)
    return last && numberOf(last)
  }

  function firstOf(call: Call): number {
    const [first] = eventsOf(call, byRequest)
    return first === undefined ? Infinity : numberOf(first)
  }

  /** A replay of an answer was written earlier: it holds nobody to its position. */
  function written(call: Call, answer: Answer, from: number): number | undefined {
    const position = positionOf(call)
    if (position === undefined) return keyOf(call) === undefined ? undefined : from
    const events = eventsOf(call, byRequest)
    const before = position - events.length
    if (call.ask.kind === 'import') return position
    if (call.ask.kind === 'undo') return imports.isUndo(call.ask, answer, events, before) ? position : undefined
    if (call.ask.kind === 'bulk') return bulkFits(call.ask, answer, events, [from, before]) ? position : undefined
    const state = feed.stateAt(before)
    return state !== undefined && wasAllowed(call, state) ? position : undefined
  }

  function seen(call: Call, answer: Answer, from: number, latest: number): number | undefined {
    const { ask } = call
    if (ask.kind === 'told') return whenTold(answer.body as FeedEvent[], from)
    if (ask.kind === 'undo') {
      const first = answer.status === 200 ? earliest(call, from) : from
      for (let position = first; position <= latest; position++) {
        const isTrue =
          answer.status === 200 ? imports.isUndo(ask, answer, [], position) : imports.isUnknown(ask, position)
        if (isTrue && (answer.status === 200 || answer.status === 404)) return Math.max(from, position)
      }
      return undefined
    }
    if (ask.kind === 'import')
      return answer.status === 409 && imports.mayBeUndone(ask.importId, call.returned) ? from : undefined
    if (ask.kind === 'bulk' && answer.status < 300) {
      const first = earliest(call, from)
      for (const [position] of feed.states(first, latest))
        if (bulkFits(ask, answer, [], [first, position])) return Math.max(from, position)
      return undefined
    }
    const to = Math.min(latest, (keyedAt.get(keyOf(call)) ?? Infinity) - 1)
    let position: number | undefined = from
    // Each batch of an export is of one state, and later ones are not of earlier states.
    const isExport = ask.kind === 'export' || ask.kind === 'exportOrders'
    for (const batch of isExport ? batchesOf(ask, answer) : [{ ask, answer }]) {
      position = firstFit(batch.ask, batch.answer, position, to)
      if (position === undefined) return undefined
    }
    return position
  }

  /** What changed nothing may be the replay of an answer to the first request with its key. */
  function earliest(call: Call, from: number): number {
    const key = keyOf(call)
    return key === undefined ? from : (firstWithKey.get(key) ?? from)
  }

  function firstFit(ask: Ask, answer: Answer, from: number, to: number): number | undefined {
    if (ask.kind === 'told') return undefined
    for (const [position, state] of feed.states(from, to)) if (fits(ask, answer, state, position)) return position
    return undefined
  }

  function whenTold(events: readonly FeedEvent[], from: number): number | undefined {
    const isTrue = events.every((event) => JSON.stringify(event) === JSON.stringify(feed.events[numberOf(event) - 1]))
    return isTrue ? Math.max(from, ...events.map(numberOf)) : undefined
  }
}

/** The latest state that anybody had seen at a moment. Moments are asked for in their order. */
class Horizon {
  #latest: Seen | undefined
  #open: { seen: Seen; ended: number }[] = []

  add(seen: Seen, ended: number): void {
    this.#open.push({ seen, ended })
  }

  at(moment: number): Seen | undefined {
    for (const { seen, ended } of this.#open)
      if (ended < moment && (this.#latest === undefined || seen.position > this.#latest.position)) this.#latest = seen
    this.#open = this.#open.filter(({ ended }) => ended >= moment)
    return this.#latest
  }
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
