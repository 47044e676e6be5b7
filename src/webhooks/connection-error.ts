/** OpenSSL's own text has numbers and names of its source. */
const openSslReason = /:SSL routines:[^:]*:([^:]+):/

const ownLacks = new Set<unknown>(['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM'])

/** This machine has no file descriptor, or no memory, for a connection. No receiver is to blame for that. */
export function isOwnLack(error: unknown): boolean {
  const errors: readonly unknown[] = error instanceof AggregateError ? error.errors : [error]
  return errors.some((one) => one instanceof Error && 'code' in one && ownLacks.has(one.code))
}

/** Why a connection failed, as words. An attempt at several addresses fails with one error for each, and no message. */
export function connectionError(error: unknown): string {
  const first = error instanceof AggregateError ? (error.errors[0] as unknown) : error
  if (!(first instanceof Error)) return String(first)
  const { message, code = '' } = first as NodeJS.ErrnoException
  const reason = openSslReason.exec(message)?.[1]
  return reason === undefined ? message || code : `TLS failed: ${reason}`
}
