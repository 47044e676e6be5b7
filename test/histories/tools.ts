import type { Answer, Ask } from './history.ts'
import { customerOf, saysNothing, type Sender, timeoutMs } from './send.ts'

/** A call of a tool (Model Context Protocol) that asks the same; undefined if there is none. */
export function toolFor(ask: Ask): { name: string; given: Record<string, unknown> } | undefined {
  // A result of a tool has no 304.
  if ('ifNoneMatch' in ask) return undefined
  switch (ask.kind) {
    case 'create':
      if (ask.idempotencyKey === undefined) return undefined
      return { name: 'createPet', given: { ...ask.animal, idempotencyKey: ask.idempotencyKey } }
    case 'order':
      if (ask.idempotencyKey === undefined) return undefined
      return { name: 'placeOrder', given: { petId: ask.petId, ...customerOf(ask), idempotencyKey: ask.idempotencyKey } }
    case 'rename':
      return {
        name: 'updatePet',
        given: { id: ask.id, name: ask.name, ...(ask.ifMatch === undefined ? {} : { ifMatch: ask.ifMatch }) },
      }
    case 'remove':
      return {
        name: 'deletePet',
        given: { id: ask.id, ...(ask.ifMatch === undefined ? {} : { ifMatch: ask.ifMatch }) },
      }
    case 'close':
      return { name: 'updateOrder', given: { id: ask.orderId, status: ask.status } }
    case 'getOrder':
      return { name: 'getOrder', given: { id: ask.orderId } }
    case 'list': {
      const { isCounted = false, next, ...filter } = ask.filter
      // A result has no count.
      if (isCounted) return undefined
      return { name: 'listPets', given: { ...filter, ...(next === undefined ? {} : { cursor: next.cursor }) } }
    }
    case 'orders': {
      const { next, ...filter } = ask.filter
      return { name: 'listOrders', given: { ...filter, ...(next === undefined ? {} : { cursor: next.cursor }) } }
    }
    case 'inventory':
      return { name: 'getInventory', given: {} }
    case 'days':
      return { name: 'listDays', given: {} }
    case 'events':
      return { name: 'listEvents', given: { after: ask.after, limit: ask.limit } }
    default:
      return undefined
  }
}

/** As `send`, through the endpoint for agents. */
export async function callTool(
  { base, key }: Sender,
  id: string,
  { name, given }: NonNullable<ReturnType<typeof toolFor>>,
): Promise<{ answer?: Answer; isMaybe: boolean }> {
  try {
    const response = await fetch(new URL('/mcp', base), {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'x-request-id': id,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } }),
      signal: AbortSignal.timeout(timeoutMs),
    })
    const text = await response.text()
    if (response.status !== 200) return saysNothing(response.status, text) ?? { isMaybe: true }
    const { result } = JSON.parse(text) as { result: Result }
    if (result.isError === true) {
      const { status } = JSON.parse(result.content[0]?.text ?? '') as { status: number }
      return saysNothing(status, result.content[0]?.text ?? '') ?? { answer: { status, body: {} }, isMaybe: false }
    }
    const { data, etag, nextCursor } = result.structuredContent ?? {}
    const answer: Answer = {
      status: statuses[name] ?? 200,
      body: data,
      ...(etag === undefined ? {} : { etag }),
      ...(nextCursor === undefined ? {} : { cursor: nextCursor }),
    }
    return { answer, isMaybe: false }
  } catch {
    return { isMaybe: true }
  }
}

interface Result {
  content: { text: string }[]
  structuredContent?: { data?: unknown; etag?: string; nextCursor?: string }
  isError?: boolean
}

/** Those that the operations have, where they are not 200. */
const statuses: Record<string, number> = { createPet: 201, placeOrder: 201, deletePet: 204 }
