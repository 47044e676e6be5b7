import type { ByteBudget } from '../../inventory/byte-budget.ts'
import type { Site } from '../exchange.ts'
import { isHost } from '../request/host.ts'
import { clientsBehind, type TrustProxy } from '../request/proxies.ts'

/**
 * The base address for links, ending in /v1: the configured one, otherwise the one the client used. If it is unknown,
 * links are relative to the root.
 */
export function siteOf(configuredBase: string | undefined, trustProxy: TrustProxy, budget: ByteBudget): Site {
  const { addressOf, hostOf, protocolOf } = clientsBehind(trustProxy)
  return {
    budget,
    clientAddressOf: addressOf,
    baseOf(exchange) {
      if (configuredBase !== undefined) return configuredBase
      const [host, protocol] = [hostOf(exchange), protocolOf(exchange)]
      // A trusted proxy may forward an invalid value.
      const isValid = isHost(host) && (protocol === 'http' || protocol === 'https')
      return isValid ? `${protocol}://${host}/v1` : '/v1'
    },
  }
}
