import type { Ask } from './history.ts'

type Others =
  | 'imports'
  | 'setCustomer'
  | 'customers'
  | 'addCategory'
  | 'nameCategory'
  | 'removeCategory'
  | 'getCategory'
  | 'categories'
  | 'makeKey'
  | 'revokeKey'
  | 'getKey'
  | 'useKey'
export type OtherAsk = Extract<Ask, { kind: Others }>

const preconditions = { new: { 'if-none-match': '*' }, known: { 'if-match': '*' } }

/** How to ask for what has no events, and for the list of imports. */
export function otherRequest(ask: OtherAsk): { start: string; body?: object; headers?: Record<string, string> } {
  switch (ask.kind) {
    case 'imports':
      return { start: `GET /pets/imports?limit=${ask.limit}` }
    case 'setCustomer':
      return { start: `PATCH /store/orders/${ask.orderId}`, body: { customer: ask.customer } }
    case 'customers':
      return { start: `GET /store/orders?customer=${ask.word}&limit=${ask.limit}${cursorOf(ask)}` }
    case 'addCategory':
      return { start: 'POST /categories', body: { name: ask.name } }
    case 'nameCategory':
      return {
        start: `PUT /categories/${ask.id}`,
        body: { name: ask.name },
        headers: ask.only === undefined ? {} : preconditions[ask.only],
      }
    case 'removeCategory':
      return { start: `DELETE /categories/${ask.id}` }
    case 'getCategory':
      return { start: `GET /categories/${ask.id}` }
    case 'categories':
      return { start: `GET /categories?limit=${ask.limit}${cursorOf(ask)}` }
    case 'makeKey':
      return { start: 'POST /keys', body: { name: ask.name, permission: 'read' } }
    case 'revokeKey':
      return { start: `POST /keys/${ask.keyId}/revoke` }
    case 'getKey':
      return { start: `GET /keys/${ask.keyId}` }
    case 'useKey':
      return { start: 'GET /pets?limit=1', headers: { authorization: `Bearer ${ask.secret}` } }
  }
}

function cursorOf({ next }: { next?: { cursor: string } }): string {
  return next === undefined ? '' : `&cursor=${encodeURIComponent(next.cursor)}`
}
