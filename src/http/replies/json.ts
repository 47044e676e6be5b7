import type { Reply } from '../exchange.ts'

export const jsonType = { 'content-type': 'application/json' } as const
const notStored = { 'cache-control': 'no-store' } as const

/** JSON that is for this moment, or for this client alone. */
export function jsonReply(body: string, more: Record<string, string> = {}, status = 200): Reply {
  return { status, headers: { ...more, ...notStored, ...jsonType }, body }
}

/** A change that leaves nothing to show. */
export const emptyReply: Reply = { status: 204, headers: notStored }
