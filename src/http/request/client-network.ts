import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * The network of a client address: an IPv4 address itself, in IPv6 notation too, or the first 64 bits of an IPv6
 * address, since a client usually has the whole network. Invalid addresses, which a proxy may forward, share one name.
 */
export function networkOf(address: string | undefined): string {
  const [text = ''] = (address ?? '').split('%')
  if (isIP(text) === 0) return 'unknown'
  const known = ipaddr.process(text)
  if (!('parts' in known)) return known.toString()
  const groups = known.parts.slice(0, 4).map((group) => group.toString(16))
  return `${groups.join(':')}::/64`
}
