import { maxSmallResponse } from '../../inventory/byte-budget.ts'
import type { Exchange, Reply } from '../exchange.ts'
import { lengthOf } from './whole-body.ts'

/** A read has more in memory than is free. It is given up, and repeated when there is room. */
export class NeedsRoom extends Error {
  override readonly name = 'NeedsRoom'
  readonly bytes: number

  constructor(bytes: number) {
    super('The response has to wait for memory.')
    this.bytes = bytes
  }
}

/** In characters: such a text is small in any encoding. */
const maxSmallLength = maxSmallResponse / 3

/**
 * Whether the reply may be in memory until it is sent, and reserves its bytes. A small one always may, and so may what
 * a change has to tell: only reads can be repeated.
 */
export function hasRoom(exchange: Exchange, { body, isShared }: Reply): boolean {
  if (body === undefined || typeof body === 'function' || isShared === true) return true
  const isReserved = exchange.response.reservedBytes > 0
  if (typeof body === 'string' && body.length <= maxSmallLength && !isReserved) return true
  const bytes = exchange.request.method === 'HEAD' ? 0 : lengthOf(body)
  if (bytes <= maxSmallResponse && !isReserved) return true
  if (exchange.reservation.tryResize(bytes)) return true
  if (exchange.request.method === 'GET') return false
  exchange.reservation.force(bytes)
  return true
}
