import type { ByteBudget, Reservation } from '../../inventory/byte-budget.ts'
import type { Caller } from '../../inventory/caller.ts'
import type { Exchange } from '../exchange.ts'

type Asking = Pick<Exchange, 'response' | 'key' | 'reservation'>

/**
 * What a byte of a stored text may need while a page is made: two in memory, where one wide character makes all of them
 * wide, and six in JSON, which escapes control characters.
 */
const bytesPerTextByte = 8

/** The client that waits for a response. Clients with one key are one caller: they share their turns. */
export function callerOf(exchange: Asking, bytesFor = (textBytes: number) => bytesPerTextByte * textBytes): Caller {
  const { response } = exchange
  let left: AbortController | undefined
  return {
    id: ownerOf(exchange),
    // Made when a search asks for it: most reads do not.
    get signal() {
      if (left !== undefined) return left.signal
      const controller = (left = new AbortController())
      if (response.destroyed) controller.abort()
      else response.once('close', () => controller.abort())
      return controller.signal
    },
    reserve: (textBytes) => exchange.reservation.resize(bytesFor(textBytes)),
  }
}

/** Begins the reservation of a request, which ends with its response. */
export function openReservation(budget: ByteBudget, exchange: Pick<Exchange, 'response' | 'key'>): Reservation {
  const reservation = budget.open(ownerOf(exchange))
  const { response } = exchange
  if (response.destroyed) reservation.end()
  else response.once('close', () => reservation.end())
  return reservation
}

function ownerOf({ key }: Pick<Exchange, 'key'>): string {
  return key?.id ?? ''
}
