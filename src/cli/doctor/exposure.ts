import type { Config } from '../shared/config.ts'
import { type Finding, warning } from './finding.ts'

const loopback = /^(?:localhost|127\.[0-9.]+|::1)$/i

/** Whether keys cross a network in clear text. Nothing if nobody else can connect, or if a proxy is in front. */
export function checkExposure({
  host,
  tlsCert,
  trustProxy,
}: Pick<Config, 'host' | 'tlsCert' | 'trustProxy'>): Finding[] {
  if (loopback.test(host) || tlsCert !== undefined || trustProxy !== false) return []
  const sentence = `Other machines can connect to ${host} without TLS, and API keys cross the network in clear text`
  const advice = 'set PETSTORE_TLS_CERT and PETSTORE_TLS_KEY, or PETSTORE_TRUST_PROXY if a proxy with TLS is in front'
  return [warning('network', `${sentence}: ${advice}.`)]
}
