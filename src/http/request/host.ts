import { isIPv6 } from 'node:net'

const form = /^(?:[A-Za-z0-9._-]+|\[([^\]]+)\])(?::([0-9]{0,5}))?$/

let lastValid: string | undefined

/** Whether a text is a valid Host header: a host name or address, with or without a port. */
export function isHost(text: string): boolean {
  // Most clients use the same one.
  if (text === lastValid) return true
  if (!hasForm(text)) return false
  lastValid = text
  return true
}

function hasForm(text: string): boolean {
  const match = form.exec(text)
  if (match === null) return false
  const [, ipv6, port = ''] = match
  return (ipv6 === undefined || isIPv6(ipv6)) && Number(port) <= 65_535
}
