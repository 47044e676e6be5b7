import type { IncomingMessage } from 'node:http'
import proxyAddress from 'proxy-addr'
import type { Peers } from './received-request.ts'
import type { WithHeaders } from './request-headers.ts'

/** Whether proxies are trusted: all of them, or those with an address in a list of networks. */
export type TrustProxy = boolean | readonly string[]

interface Received extends WithHeaders {
  readonly peers: Peers
  /** The host that the client named: of its address in absolute form, or of its Host header. */
  readonly host: string
}

/** What is known about the client of a request, behind its proxies. */
export interface Clients {
  addressOf(received: Received): string | undefined
  hostOf(received: Received): string
  protocolOf(received: Received): string
}

/** Reads forwarded headers of trusted proxies. The nearest proxy writes its entry last. */
export function clientsBehind(trustProxy: TrustProxy): Clients {
  const direct: Clients = {
    addressOf: ({ peers }) => peers.remoteAddress,
    hostOf: ({ host }) => host,
    protocolOf: ({ peers }) => (peers.encrypted === true ? 'https' : 'http'),
  }
  if (trustProxy === false) return direct
  const isTrusted = typeof trustProxy === 'boolean' ? () => true : proxyAddress.compile([...trustProxy])

  function forwarded(received: Received, name: 'x-forwarded-host' | 'x-forwarded-proto'): string | undefined {
    const header = received.headers[name]
    if (!header || !isTrusted(received.peers.remoteAddress ?? '', 0)) return undefined
    return header.slice(header.lastIndexOf(',') + 1).trim()
  }

  return {
    addressOf: ({ peers, headers }) =>
      proxyAddress({ headers, socket: peers } as unknown as IncomingMessage, isTrusted),
    hostOf: (received) => forwarded(received, 'x-forwarded-host') ?? direct.hostOf(received),
    protocolOf: (received) => forwarded(received, 'x-forwarded-proto') ?? direct.protocolOf(received),
  }
}
