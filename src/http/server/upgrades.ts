import type { IncomingMessage } from 'node:http'

const offers = new WeakSet<IncomingMessage>()

/** Node asks this for a request that offers to change the protocol. The offer is ignored (RFC 9110, 7.8). */
export function ignoreUpgrade(request: IncomingMessage): boolean {
  offers.add(request)
  return false
}

export function isUpgradeOffered(request: IncomingMessage): boolean {
  return offers.has(request)
}
