import { importLimit } from '../../contract/body-limit.ts'
import { ignoreUpgrade } from './upgrades.ts'

/** Settings of Node's server, in milliseconds and bytes. Its defaults would wait for minutes. */
export const serverLimits = {
  headersTimeout: 5_000,
  // late-bodies.ts limits the time of a body.
  requestTimeout: 0,
  keepAliveTimeout: 72_000,
  connectionsCheckingInterval: 1_000,
  maxHeaderSize: 8 * 1024,
  // Node would refuse a missing Host without a body; gates/http-message.ts sends the usual error.
  requireHostHeader: false,
  shouldUpgradeCallback: ignoreUpgrade,
  // A request without a body needs no stream of its body.
  optimizeEmptyRequests: true,
} as const

/** Limits that Node has no setting for. */
export interface ConnectionLimits {
  /** The number of pipelined requests that may wait on a connection. */
  maxPipelinedRequests: number
  /** How many connections may be open. Then a new one takes the place of an idle one (connection-limit.ts). */
  maxConnections: number
  /** How many more may be open for /livez and /readyz alone. */
  maxHealthConnections: number
  /** How long the body of a request may take. */
  bodyTimeoutMs: number
  /** How long a response may wait without its client reading a byte. */
  stallTimeoutMs: number
  /** The limit for unsent bytes of all responses together whose clients have read nothing for `maxPauseMs`. */
  maxUnsentBytes: number
  maxPauseMs: number
  /** How long and how much is read from a client that is still sending after its last response. */
  lingerMs: number
  maxLingerBytes: number
  /** How long a connection without a request stays open after the service stops. */
  closeIdleMs: number
  /** How long pending requests may take after that. */
  closeAllMs: number
}

export const defaultConnectionLimits: ConnectionLimits = {
  maxPipelinedRequests: 16,
  maxConnections: Infinity,
  maxHealthConnections: 0,
  bodyTimeoutMs: 10_000,
  stallTimeoutMs: 30_000,
  maxUnsentBytes: 16 * 1024 * 1024,
  maxPauseMs: 2_000,
  lingerMs: 30_000,
  // As much as a request may send.
  maxLingerBytes: importLimit,
  closeIdleMs: 500,
  // Shorter than the ten seconds that the process has to stop: the storage is closed after it.
  closeAllMs: 8_000,
}
