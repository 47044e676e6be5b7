import type { ShopState } from './feed.ts'
import type { Answer, Call, Import, Order } from './history.ts'
import type { importChecker } from './imports.ts'
import type { OtherAsk } from './other-requests.ts'
import { isSame } from './page-fits.ts'

/** Whether what the feed knows of such an answer is true of a state. Names and keys are judged by registers.ts. */
export function otherFits(
  ask: OtherAsk,
  { status, body, cursor }: Answer,
  { animals, orders }: ShopState,
  position: number,
  imports: ReturnType<typeof importChecker>,
): boolean {
  switch (ask.kind) {
    case 'setCustomer': {
      const order = orders.get(ask.orderId)
      return status === 404 ? order === undefined : isSame(order, body)
    }
    case 'customers': {
      const page = body as Order[]
      const isShown = page.every((order) => isSame(orders.get(order.id), order))
      return isShown && page.every(({ id }, index) => index === 0 || id > (page[index - 1] as Order).id)
    }
    case 'removeCategory': {
      const isUsed = [...animals.values()].some(({ categoryId }) => categoryId === ask.id)
      return status === 204 ? !isUsed : status !== 409 || isUsed
    }
    case 'imports': {
      const listed = imports.listAt(position)
      const page = (body as Import[]).map(({ id, added, rejected }) => ({ id, added, rejected }))
      return isSame(listed.slice(0, ask.limit), page) && listed.length > ask.limit === (cursor !== undefined)
    }
    default:
      return true
  }
}

/** An answer as the feed has it: without the customers of orders and the names of categories. */
export function asFeedHasIt(call: Call): Call {
  const { ask, answer } = call
  const { body } = answer ?? {}
  if (answer === undefined || typeof body !== 'object' || body === null) return call
  if (ask.kind === 'inventory' && 'categories' in body) {
    const categories = (body.categories as object[]).map((row) => without('name', row))
    return { ...call, answer: { ...answer, body: { ...body, categories } } }
  }
  if (Array.isArray(body) ? !body.some(hasCustomer) : !hasCustomer(body)) return call
  const plain = Array.isArray(body) ? body.map((row: object) => without('customer', row)) : without('customer', body)
  return { ...call, answer: { ...answer, body: plain } }
}

function hasCustomer(row: object): boolean {
  return 'petId' in row && 'customer' in row
}

function without(left: string, row: object): object {
  return Object.fromEntries(Object.entries(row).filter(([name]) => name !== left))
}
