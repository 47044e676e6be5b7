import { isIPv4, isIPv6 } from 'node:net'

/**
 * The network of a client address: an IPv4 address itself, or the first 64 bits of an IPv6 address, since a client
 * usually has the whole network. Invalid addresses, which a proxy may forward, share one name.
 */
export function networkOf(address: string | undefined): string {
  const [text = ''] = (address ?? '').split('%')
  const mapped = /^::ffff:([0-9.]+)$/i.exec(text)?.[1] ?? text
  if (isIPv4(mapped)) return mapped
  if (!isIPv6(text)) return 'unknown'
  const [start = '', end] = text.split('::')
  const first = start === '' ? [] : start.split(':')
  // A dotted part, as in 64:ff9b::192.0.2.1, counts as two of the eight groups.
  const last = end === undefined || end === '' ? [] : end.replace(/[0-9.]+\.[0-9.]+$/, '0:0').split(':')
  const zeros = Array.from({ length: 8 - first.length - last.length }, () => '0')
  const groups = end === undefined ? first : [...first, ...zeros, ...last]
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}
