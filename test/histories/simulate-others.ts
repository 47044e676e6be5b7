import type { ShopState } from './feed.ts'
import type { Answer, Category, Order } from './history.ts'
import type { OtherAsk } from './other-requests.ts'
import { hasWord } from './pages.ts'

const missing: Answer = { status: 404, body: {} }

/** What a right shop has beside its feed: the names of categories, the customers of orders, and keys. */
export function otherShop({ animals, orders }: ShopState) {
  const categories = new Map<number, string>()
  const customers = new Map<number, string>()
  const keys = new Map<string, { id: string; key: string; state: 'active' | 'revoked' }>()

  function setCustomer(orderId: number, customer: string | null): void {
    if (customer === null) customers.delete(orderId)
    else customers.set(orderId, customer)
  }

  function withCustomer(order: Order): Order {
    const customer = customers.get(order.id)
    return customer === undefined ? order : { ...order, customer }
  }

  function withNames(inventory: { categories: { id: number }[] }): object {
    const named = inventory.categories.map((row) => {
      const known = categories.get(row.id)
      return known === undefined ? row : { ...row, name: known }
    })
    return { ...inventory, categories: named }
  }

  function name(id: number, given: string): Answer {
    const status = categories.has(id) ? 200 : 201
    categories.set(id, given)
    return { status, body: { id, name: given } }
  }

  function remove(id: number): Answer {
    if (!categories.has(id)) return missing
    if ([...animals.values()].some(({ categoryId }) => categoryId === id)) return { status: 409, body: {} }
    categories.delete(id)
    return { status: 204, body: undefined }
  }

  function page(rows: readonly object[], limit: number): Answer {
    return { status: 200, body: rows.slice(0, limit), ...(rows.length > limit ? { cursor: 'next' } : {}) }
  }

  function carryOut(ask: Exclude<OtherAsk, { kind: 'imports' }>): Answer {
    switch (ask.kind) {
      case 'setCustomer': {
        const order = orders.get(ask.orderId)
        if (order === undefined) return missing
        setCustomer(order.id, ask.customer)
        return { status: 200, body: withCustomer(order) }
      }
      case 'customers': {
        const after = ask.next?.after ?? 0
        const found = [...orders.values()].filter(({ id }) => id > after && hasWord(customers.get(id) ?? '', ask.word))
        return page(found.map(withCustomer), ask.limit)
      }
      case 'addCategory':
        return name(Math.max(3, ...categories.keys()) + 1, ask.name)
      case 'nameCategory': {
        const isUnmet = ask.only !== undefined && categories.has(ask.id) !== (ask.only === 'known')
        return isUnmet ? { status: 412, body: {} } : name(ask.id, ask.name)
      }
      case 'removeCategory':
        return remove(ask.id)
      case 'getCategory': {
        const known = categories.get(ask.id)
        return known === undefined ? missing : { status: 200, body: { id: ask.id, name: known } }
      }
      case 'categories': {
        const all = [...categories].map(([id, known]): Category => ({ id, name: known }))
        const rest = all.filter(({ id }) => id > (ask.next?.after ?? -Infinity))
        return page(
          rest.toSorted((a, b) => a.id - b.id),
          ask.limit,
        )
      }
      case 'makeKey': {
        const id = `key_${keys.size}`
        keys.set(id, { id, key: `secret of ${id}`, state: 'active' })
        return { status: 201, body: keys.get(id) }
      }
      case 'revokeKey': {
        const revoked = { id: ask.keyId, key: '', state: 'revoked' as const }
        keys.set(ask.keyId, revoked)
        return { status: 200, body: revoked }
      }
      case 'getKey':
        return { status: 200, body: keys.get(ask.keyId) }
      case 'useKey':
        return { status: keys.get(ask.keyId)?.state === 'active' ? 200 : 401, body: [] }
    }
  }

  return { carryOut, setCustomer, withCustomer, withNames }
}
