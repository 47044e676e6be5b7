import type { Call, FeedEvent, Order } from './history.ts'
import { hasWord } from './pages.ts'
import { is, isWrong, showing, type Touch } from './touch.ts'

/** What calls say about the customers of orders, which events do not have. */
export function* customerTouches(
  calls: readonly Call[],
  feed: readonly FeedEvent[],
  isLate: boolean,
): Generator<Touch> {
  const placed = new Map(
    feed.flatMap(({ type, requestid, data }) => (type === 'petstore.order.placed' ? [[requestid, data.id]] : [])),
  )
  const placers = calls.filter(({ id }) => placed.has(id))

  for (const call of calls) {
    const { ask, answer } = call
    const { status, body } = answer ?? {}
    if (ask.kind === 'order') {
      const given = ask.customer ?? null
      const id = placed.get(call.id)
      const isAsAsked = status !== 201 || (body as Order).customer === ask.customer
      if (id !== undefined)
        yield { of: of(id), call: { ...call, isMaybe: false }, becomes: given, ...(!isAsAsked && { wants: isWrong }) }
    } else if (ask.kind === 'setCustomer') {
      const isAsAsked = status !== 200 || ((body as Order).customer ?? null) === ask.customer
      if (status === 200 || call.isMaybe)
        yield { of: of(ask.orderId), call, becomes: ask.customer, ...(!isAsAsked && { wants: isWrong }) }
    } else if (status === 200 && (!isLate || ask.kind === 'close')) {
      for (const { id, customer = null } of ordersIn(call))
        yield { of: of(id), call, ...(ask.kind === 'exportOrders' ? { wants: is(customer) } : showing(customer)) }
      for (const id of leftOut(call)) yield { of: of(id), call, wants: isNotFound(call) }
    }
  }

  /** Orders that a search by customer has looked at and not found. */
  function leftOut({ ask, answer, invoked }: Call): number[] {
    if (ask.kind !== 'customers') return []
    const page = answer?.body as Order[]
    const found = new Set(page.map(({ id }) => id))
    // It is not seen where an earlier page ended that is short.
    const start = ask.next?.isShort === true ? (page[0]?.id ?? Infinity) : (ask.next?.after ?? 0)
    const end = answer?.cursor === undefined ? Infinity : (page.at(-1)?.id ?? 0)
    return placers
      .filter(({ returned }) => returned < invoked)
      .map(({ id }) => placed.get(id) as number)
      .filter((id) => id > start && id <= end && !found.has(id))
  }
}

function of(id: number): string {
  return `the customer of order ${id}`
}

function isNotFound({ ask }: Call) {
  return (customer: string | null) => ask.kind !== 'customers' || customer === null || !hasWord(customer, ask.word)
}

/** A search by customer shows no others. */
function ordersIn({ ask, answer }: Call): Order[] {
  switch (ask.kind) {
    case 'getOrder':
    case 'close':
      return [answer?.body as Order]
    case 'orders':
    case 'exportOrders':
    case 'customers':
      return answer?.body as Order[]
    default:
      return []
  }
}
