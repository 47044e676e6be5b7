import type { ServerResponse } from 'node:http'
import { type ByteBudget, maxSmallResponse, type Reservation } from '../../inventory/byte-budget.ts'
import type { Caller } from '../../inventory/caller.ts'

/**
 * What a byte of a stored text may need while a page is made: two in memory, where one wide character makes all of them
 * wide, and six in JSON, which escapes control characters.
 */
const bytesPerTextByte = 8
/** A page that has little more than short names. */
const maxUnreservedText = maxSmallResponse / 2
/** Without the escapes. */
const bytesPerJsonByte = 3

/** The client that waits for a response. Clients with one key are one caller: they share their turns. */
export function callerOf(response: ServerResponse, keyId: string, reservationOf: () => Reservation): Caller {
  let left: AbortController | undefined
  return {
    id: keyId,
    // Made when a search asks for it: most reads do not.
    get signal() {
      if (left !== undefined) return left.signal
      const controller = (left = new AbortController())
      if (response.destroyed) controller.abort()
      else response.once('close', () => controller.abort())
      return controller.signal
    },
    tryReserve: (textBytes) =>
      textBytes <= maxUnreservedText || reservationOf().tryResize(bytesPerTextByte * textBytes),
    reserve: (textBytes, isJson = false) =>
      reservationOf().resize(textBytes * (isJson ? bytesPerJsonByte : bytesPerTextByte)),
  }
}

/** Begins the reservation of a request. It ends with its response. */
export function openReservation(budget: ByteBudget, response: ServerResponse, keyId = ''): Reservation {
  const reservation = budget.open(keyId)
  if (response.destroyed) reservation.end()
  else response.once('close', () => reservation.end())
  return reservation
}
