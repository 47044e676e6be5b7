import type { Body } from '../exchange.ts'

export function isInParts(body: Body | undefined): body is readonly Buffer[] {
  return Array.isArray(body)
}

/** A body as one. Undefined if there is none, or if a function writes it. */
export function wholeBody(body: Body | undefined): string | Buffer | undefined {
  if (typeof body === 'function') return undefined
  return isInParts(body) ? Buffer.concat(body) : body
}

/** In bytes. 0 if a function writes it. */
export function lengthOf(body: Body | undefined): number {
  if (body === undefined || typeof body === 'function') return 0
  return isInParts(body) ? body.reduce((sum, { length }) => sum + length, 0) : Buffer.byteLength(body)
}
