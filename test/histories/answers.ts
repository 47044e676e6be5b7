import { changeMany } from './bulk.ts'
import type { Day, Feed, ShopState } from './feed.ts'
import type { Animal, Answer, Ask, BulkResult, Call, FeedEvent, Order } from './history.ts'
import type { importChecker } from './imports.ts'
import { otherFits } from './other-answers.ts'
import { isSame, pageChecker } from './page-fits.ts'
import { countOf, hasOpenOrder, inventoryOf, matching, ordersOf, pageOf } from './pages.ts'

type Of<Kind extends Ask['kind']> = Extract<Ask, { kind: Kind }>

/** The most animals that an export reads at one moment. */
const exportBatch = 200

/** Learns what each entity tag stands for, and says whether an answer is true of a state. */
export function answerChecker(
  calls: readonly Call[],
  feed: Feed,
  imports: ReturnType<typeof importChecker>,
  /** The number of events before the state that each call saw, by its id. */
  positionOf: (id: string) => number | undefined,
) {
  const isPage = pageChecker(feed)
  const bodyOfTag = new Map<string, string>()
  /** Who was told a tag, and with it what it stands for. */
  const tellers = new Map<string, Call>()
  /** What a page with a tag had, by what was asked for and the tag. */
  const answerOfTag = new Map<string, Answer>()
  for (const call of calls) {
    const { ask, answer } = call
    if (answer?.etag !== undefined && answer.status === 200 && isPageAsk(ask)) {
      answerOfTag.set(viewOf(ask, answer.etag), answer)
      tellers.set(viewOf(ask, answer.etag), call)
    }
    if (
      answer?.etag !== undefined &&
      answer.status < 300 &&
      (ask.kind === 'get' || ask.kind === 'create' || ask.kind === 'rename')
    ) {
      bodyOfTag.set(answer.etag, JSON.stringify(answer.body))
      tellers.set(answer.etag, call)
    }
  }

  /** A conditional request names a tag that some client was told. */
  const isTagOf = (tag: string | undefined, animal: Animal) =>
    tag !== undefined && bodyOfTag.get(tag) === JSON.stringify(animal)

  const isTagOfAnother = (tag: string | undefined, animal: Animal | undefined) =>
    tag !== undefined && animal !== undefined && !isTagOf(tag, animal)

  /** Whether a write that was carried out was allowed to be, in the state before it. */
  const wasAllowed = ({ ask }: Call, { animals }: ShopState): boolean => {
    if ((ask.kind !== 'rename' && ask.kind !== 'remove') || ask.ifMatch === undefined) return true
    const animal = animals.get(ask.id)
    return animal !== undefined && isTagOf(ask.ifMatch, animal)
  }

  /** Whether an answer that changed nothing is true of a state. */
  function fits(ask: Ask, answer: Answer, state: ShopState, position: number): boolean {
    const { animals, orders } = state
    const { status, body } = answer
    if (isPageAsk(ask) && ask.ifNoneMatch !== undefined) {
      const told = answerOfTag.get(viewOf(ask, ask.ifNoneMatch))
      const { ifNoneMatch, ...again } = ask
      if (status === 304) return told !== undefined && fits(again, told, state, position)
      if (answer.etag === ifNoneMatch) return false
    }
    switch (ask.kind) {
      case 'get': {
        const animal = animals.get(ask.id)
        if (status === 404 || animal === undefined) return status === 404 && animal === undefined
        return (status === 304) === isTagOf(ask.ifNoneMatch, animal) && (status === 304 || isSame(animal, body))
      }
      case 'getOrder': {
        const order = orders.get(ask.orderId)
        return status === 404 ? order === undefined : order !== undefined && isSame(order, body)
      }
      case 'list':
        return (
          isPage(
            pageOf(state, allOf(ask)),
            ask.filter,
            ask.filter.name !== undefined,
            answer,
            sinceOf(ask, position),
          ) &&
          (!ask.filter.isCounted || countOf(state, ask.filter) === answer.total)
        )
      case 'orders':
        return isPage(
          ordersOf(state, allOf(ask)),
          ask.filter,
          ask.filter.petName !== undefined,
          answer,
          sinceOf(ask, position),
        )
      case 'exportOrders':
        return isSame(ordersOf(state, { ...ask.filter, limit: exportBatch }), body)
      case 'export':
        return isSame(pageOf(state, { ...ask.filter, limit: exportBatch }), body)
      case 'inventory':
        return isSame(inventoryOf(state), body)
      case 'days':
        return isDays(state, body as DayRow[])
      case 'events':
        return isEventPage(feed.events, ask, body as FeedEvent[], position)
      case 'rename': {
        const animal = animals.get(ask.id)
        return status === 404 ? animal === undefined : status === 412 && isTagOfAnother(ask.ifMatch, animal)
      }
      case 'remove':
        if (status === 404) return !animals.has(ask.id)
        if (status === 412) return isTagOfAnother(ask.ifMatch, animals.get(ask.id))
        return status === 409 && hasOpenOrder(state, ask.id)
      case 'order':
        return status === 409 && animals.get(ask.petId)?.status !== 'available'
      case 'close': {
        const order = orders.get(ask.orderId)
        return status === 404 ? order === undefined : status === 409 && order !== undefined && order.status !== 'placed'
      }
      case 'dryRun':
        return (body as { added: number }).added === ask.rows.length
      case 'create':
      case 'import':
      case 'undo':
      case 'bulk':
      case 'told':
        return false
      default:
        return otherFits(ask, answer, state, position, imports)
    }
  }

  /** From where to where rows may have left a search that goes on. */
  function sinceOf({ filter: { next } }: Of<'list' | 'orders'>, position: number) {
    const from = positionOf(next?.since ?? '') ?? 0
    // A replica may be behind another one.
    return { from: Math.min(from, position), to: Math.max(from, position) }
  }

  /** The call that had the tag of a conditional request. */
  function teller(ask: Ask): Call | undefined {
    if ('ifMatch' in ask) return tellers.get(ask.ifMatch ?? '')
    if (!('ifNoneMatch' in ask) || ask.ifNoneMatch === undefined) return undefined
    return tellers.get(isPageAsk(ask) ? viewOf(ask, ask.ifNoneMatch) : ask.ifNoneMatch)
  }

  return { fits, wasAllowed, teller }
}

/** The same filter, for all that match. */
function allOf<Filter extends { limit: number }>({ filter }: { filter: Filter }): Filter {
  return { ...filter, limit: Infinity }
}

type PageAsk = Of<'list' | 'orders' | 'inventory' | 'days'>

function isPageAsk(ask: Ask): ask is PageAsk {
  return ask.kind === 'list' || ask.kind === 'orders' || ask.kind === 'inventory' || ask.kind === 'days'
}

/** The same text for the same question and tag. */
function viewOf(ask: PageAsk, tag: string): string {
  return JSON.stringify([{ ...ask, ifNoneMatch: tag }])
}

type DayRow = Day & { date: string }

/** All days on which something happened, and zeros for the others. */
function isDays({ days }: ShopState, rows: readonly DayRow[]): boolean {
  const shown = rows.filter((row) => Object.values(row).some((count) => typeof count === 'number' && count > 0))
  return (
    shown.length === days.size && shown.every(({ date, ...counts }) => days.has(date) && isSame(days.get(date), counts))
  )
}

/** The batches of an export, each as an export of its own that goes on after the one before. */
export function batchesOf(ask: Of<'export' | 'exportOrders'>, answer: Answer): { ask: Ask; answer: Answer }[] {
  const rows = answer.body as (Animal | Order)[]
  // The last batch is not full: it says that nothing follows it.
  return Array.from({ length: Math.floor(rows.length / exportBatch) + 1 }, (_, index) => {
    const start = index * exportBatch
    const after = rows[start - 1]
    return {
      ask: { ...ask, filter: { ...ask.filter, ...(after && { next: { cursor: '', after } }) } } as Ask,
      answer: { ...answer, body: rows.slice(start, start + exportBatch) },
    }
  })
}

/**
 * Says whether a bulk change did what it says, with these events: it finds its animals at one moment, and changes those
 * of them that still match, all at another moment.
 */
export function bulkChecker(feed: Feed) {
  return (
    ask: Of<'bulk'>,
    answer: Answer,
    events: readonly FeedEvent[],
    [from, before]: readonly [number, number],
  ): boolean => {
    const state = feed.stateAt(before)
    if (state === undefined) return false
    for (const [, earlier] of feed.states(from, before)) {
      const found = matching(earlier, ask.filter).filter(({ id }) => state.animals.has(id))
      const { changes, ...result } = changeMany(state, ask, new Set(found.map(({ id }) => id)))
      const { refusals, changed, unchanged, refused } = answer.body as BulkResult
      const isResult = isSame(result, { changed, unchanged, refused, refusals: refusals.map(({ id }) => id) })
      if (
        isResult &&
        isSame(
          changes,
          events.map(({ type, data }) => ({ type, data })),
        )
      )
        return true
    }
    return false
  }
}

/** A page that is not full says that nothing follows it. */
function isEventPage(
  events: readonly FeedEvent[],
  { after, limit }: { after: number; limit: number },
  body: FeedEvent[],
  position: number,
): boolean {
  return isSame(events.slice(after, Math.min(after + limit, position)), body)
}
