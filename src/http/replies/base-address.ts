import type { ByteBudget } from '../../inventory/byte-budget.ts'
import { isHost } from '../request/host.ts'
import { clientsBehind, type TrustProxy } from '../request/proxies.ts'
import type { Site } from '../request/received-request.ts'

/**
 * The base address for links, ending in /v1: the configured one, otherwise the one the client used. If it is unknown,
 * links are relative to the root.
 */
export function siteOf(configuredBase: string | undefined, trustProxy: TrustProxy, budget: ByteBudget): Site {
  const { addressOf, hostOf, protocolOf } = clientsBehind(trustProxy)
  // Most clients use the same one.
  let last = { host: '', protocol: '', base: '/v1' }
  return {
    budget,
    clientAddressOf: addressOf,
    baseOf(request) {
      if (configuredBase !== undefined) return configuredBase
      const host = hostOf(request)
      const protocol = protocolOf(request)
      if (host !== last.host || protocol !== last.protocol) last = { host, protocol, base: baseAt(host, protocol) }
      return last.base
    },
  }
}

function baseAt(host: string, protocol: string): string {
  // A trusted proxy may forward an invalid value.
  const isValid = isHost(host) && (protocol === 'http' || protocol === 'https')
  return isValid ? `${protocol}://${host}/v1` : '/v1'
}
