/** How large a body may be, in bytes. */
export const bodyLimit = 64 * 1024

/** How long the address of a request may be, in characters. */
export const maxAddressLength = 4 * 1024

/** Limits on a connection, in milliseconds and bytes. Node's defaults would wait for minutes. */
export const serverLimits = {
  headersTimeout: 5_000,
  requestTimeout: 10_000,
  keepAliveTimeout: 72_000,
  connectionsCheckingInterval: 1_000,
  maxHeaderSize: 8 * 1024,
  // Node answers a missing Host by itself, without a body; gates/http-message.ts does it in the shape of every other error.
  requireHostHeader: false,
} as const
