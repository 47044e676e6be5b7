/** How large a body may be, in bytes. */
export const bodyLimit = 64 * 1024

/** What Node's server is told, in milliseconds and bytes. Its defaults would wait for minutes. */
export const serverLimits = {
  headersTimeout: 5_000,
  requestTimeout: 10_000,
  keepAliveTimeout: 72_000,
  connectionsCheckingInterval: 1_000,
  maxHeaderSize: 8 * 1024,
  // Node answers a missing Host by itself, without a body; gates/http-message.ts does it in the shape of every other error.
  requireHostHeader: false,
} as const

/** Limits that Node has no setting for. */
export interface ConnectionLimits {
  /** How many requests may wait on a connection for the answer to the one before them. */
  maxPipelinedRequests: number
  /** How long an answer may wait without its client taking a byte of it. */
  stallTimeoutMs: number
  /** How much all answers that wait to be sent may hold together. */
  maxUnsentBytes: number
  /** How long, and how much, is read from a client that is still sending when it has its last answer. */
  lingerMs: number
  maxLingerBytes: number
  /** How long a connection without a request stays open once the service stops. */
  closeIdleMs: number
  /** How long requests in flight may take then. */
  closeAllMs: number
}

export const usualConnectionLimits: ConnectionLimits = {
  maxPipelinedRequests: 16,
  stallTimeoutMs: 30_000,
  maxUnsentBytes: 16 * 1024 * 1024,
  lingerMs: 30_000,
  maxLingerBytes: 64 * 1024 * 1024,
  closeIdleMs: 500,
  // Shorter than the ten seconds that the process has to stop: the storage is closed after this.
  closeAllMs: 8_000,
}
