import { isIP } from 'node:net'
import type { Exchange } from '../http/exchange.ts'
import { PetStoreError } from '../inventory/errors.ts'

/**
 * Webhooks of a shop may lead to this machine and its network, and any key opens a shop. So a page that was opened by a
 * name may not make, change or try them: the owner of a name can make it lead here (DNS rebinding), and would read through
 * a webhook what other programs of this machine say. Programs send no Origin.
 */
export function refuseNamedPage({ request, findings }: Exchange): void {
  const { origin } = request.headers
  if (origin === undefined || request.method === 'GET' || request.method === 'HEAD') return
  if (findings.route?.operation?.path.startsWith('/webhooks') !== true || isOfAddress(origin)) return
  throw new PetStoreError(
    'forbidden',
    'Pages may change webhooks only if they were opened at localhost or an IP address.',
  )
}

function isOfAddress(origin: string): boolean {
  const host = URL.parse(origin)?.hostname.replace(/^\[(.*)\]$/, '$1') ?? ''
  return host === 'localhost' || isIP(host) !== 0
}
