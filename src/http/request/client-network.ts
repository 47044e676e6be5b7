import { isIPv4, isIPv6 } from 'node:net'

/**
 * The network that a client address belongs to: an IPv4 address itself, of an IPv6 address the first 64 bits, since whoever
 * has one address of such a network has all of them. One name for all that is no address, as a proxy may pass on anything.
 */
export function networkOf(address: string | undefined): string {
  const [text = ''] = (address ?? '').split('%')
  const mapped = /^::ffff:([0-9.]+)$/i.exec(text)?.[1] ?? text
  if (isIPv4(mapped)) return mapped
  if (!isIPv6(text)) return 'unknown'
  const [start = '', end] = text.split('::')
  const first = start === '' ? [] : start.split(':')
  // Dots, as in 64:ff9b::192.0.2.1, stand for two groups of the eight.
  const last = end === undefined || end === '' ? [] : end.replace(/[0-9.]+\.[0-9.]+$/, '0:0').split(':')
  const zeros = Array.from({ length: 8 - first.length - last.length }, () => '0')
  const groups = end === undefined ? first : [...first, ...zeros, ...last]
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}
