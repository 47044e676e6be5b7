/** What came of one try. */
export interface SendResult {
  /** Of the response, if there was one. */
  status?: number
  durationMs: number
  /** Why there was no response. */
  error?: string
  /** The first bytes of the body of the response, as text without control characters. */
  responseStart?: string
}

/** 2xx. Anything else, also a redirect, is a failure. */
export function isDelivered({ status = 0 }: SendResult): boolean {
  return status >= 200 && status < 300
}

/** The endpoint wants no more deliveries. */
export function isGone({ status }: SendResult): boolean {
  return status === 410
}
