import { BlockList, isIPv6 } from 'node:net'
import type { Peers } from './received-request.ts'
import type { WithHeaders } from './request-headers.ts'

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

const forwarding = ['x-forwarded-for', 'x-real-ip', 'forwarded', 'via'] as const

interface Received extends WithHeaders {
  readonly peers: Peers
}

/**
 * Whether the request comes from the machine of the service: over loopback, or from an address of its own. False behind
 * a proxy, whose address says nothing about the client.
 */
export function isFromThisMachine({ headers, peers }: Received): boolean {
  if (forwarding.some((name) => headers[name] !== undefined)) return false
  const { remoteAddress, localAddress } = peers
  if (remoteAddress === undefined) return false
  return remoteAddress === localAddress || loopback.check(remoteAddress, isIPv6(remoteAddress) ? 'ipv6' : 'ipv4')
}
