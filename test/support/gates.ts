import type { Answer } from './app.ts'

/** With this header, which changes nothing, a response is never that of an earlier request. */
export const uncached = { prefer: 'nothing-known' }

/** A response without the headers that differ between any two. */
export function comparable({ status, headers, text }: Answer) {
  const rest = Object.fromEntries(headers)
  delete rest['x-request-id']
  delete rest['date']
  return { status, headers: rest, text }
}
