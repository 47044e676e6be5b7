import { Exchange } from '../exchange.ts'

/** The refusal of what follows a request on its connection. */
interface Refusal {
  after: Exchange | undefined
  run: () => void
}

/** What waits to be answered. */
export type Turn = Exchange | Refusal

/**
 * Whose turn it is: requests of one key are one owner's, before it is known which keys exist, however the header writes
 * its scheme. A refusal has the owner of the request before it, so that it comes after it.
 */
export function ownerOf(turn: Turn): string {
  const exchange = turn instanceof Exchange ? turn : turn.after
  const authorization = exchange?.request.headers.authorization ?? ''
  return authorization.slice(authorization.lastIndexOf(' ') + 1)
}
