const codesBeforeSending = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
  // Bun
  'ConnectionRefused',
])

/** Whether `fetch` failed before it had a connection. If the runtime does not say, the request counts as sent. */
export function wasNeverSent(error: unknown): boolean {
  const { code, cause } = (error ?? {}) as { code?: string; cause?: { code?: string } }
  return codesBeforeSending.has(cause?.code ?? code ?? '')
}

/** The message and the cause of what `fetch` threw. */
export function describeFetchError(error: unknown): string {
  const { message, cause } = (error ?? {}) as { message?: string; cause?: { message?: string; code?: string } }
  return [message, cause?.message || cause?.code].filter(Boolean).join(': ')
}
