import { BlockList, isIPv6 } from 'node:net'
import type { FastifyRequest } from 'fastify'

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

/**
 * Whether the request comes from the machine of the service: over loopback, or from an address of its own. False behind
 * a proxy, whose address says nothing about the client.
 */
export function isFromThisMachine({ raw }: FastifyRequest): boolean {
  const { headers, socket } = raw
  if (['x-forwarded-for', 'x-real-ip', 'forwarded', 'via'].some((name) => headers[name] !== undefined)) return false
  const { remoteAddress, localAddress } = socket
  if (remoteAddress === undefined) return false
  return remoteAddress === localAddress || loopback.check(remoteAddress, isIPv6(remoteAddress) ? 'ipv6' : 'ipv4')
}
