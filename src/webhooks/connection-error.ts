import { closeSync, openSync } from 'node:fs'
import { devNull } from 'node:os'

/** OpenSSL's own text has numbers and names of its source. */
const openSslReason = /:SSL routines:[^:]*:([^:]+):/

const ownLacks = new Set<unknown>(['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM'])

/** This machine has no file descriptor, or no memory, for a connection. No receiver is to blame for that. */
export function isOwnLack(error: unknown): boolean {
  const errors = error instanceof AggregateError ? (error.errors as Error[]) : error instanceof Error ? [error] : []
  return errors.some(
    (one: NodeJS.ErrnoException) => ownLacks.has(one.code) || (isNameServerSilent(one) && !canOpenFile()),
  )
}

/** So says the resolver, too, if it has no descriptor to ask with. */
function isNameServerSilent({ code, syscall = '' }: NodeJS.ErrnoException): boolean {
  return code === 'ECONNREFUSED' && syscall.startsWith('query')
}

function canOpenFile(): boolean {
  try {
    closeSync(openSync(devNull, 'r'))
    return true
  } catch {
    return false
  }
}

/** Why a connection failed, as words. An attempt at several addresses fails with one error for each, and no message. */
export function connectionError(error: unknown): string {
  const first = error instanceof AggregateError ? (error.errors[0] as unknown) : error
  if (!(first instanceof Error)) return String(first)
  const { message, code = '' } = first as NodeJS.ErrnoException
  const reason = openSslReason.exec(message)?.[1]
  return reason === undefined ? message || code : `TLS failed: ${reason}`
}
