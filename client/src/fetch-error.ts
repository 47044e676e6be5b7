const codesBeforeSending = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
  // Bun's.
  'ConnectionRefused',
])

/** Whether `fetch` failed before it had a connection. Where the runtime does not tell, a request counts as sent. */
export function wasNeverSent(error: unknown): boolean {
  const { code, cause } = (error ?? {}) as { code?: string; cause?: { code?: string } }
  return codesBeforeSending.has(cause?.code ?? code ?? '')
}

/** What `fetch` threw, and why it says it did. */
export function describeFetchError(error: unknown): string {
  const { message, cause } = (error ?? {}) as { message?: string; cause?: { message?: string; code?: string } }
  return [message, cause?.message || cause?.code].filter(Boolean).join(': ')
}
