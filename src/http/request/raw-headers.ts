import type { FastifyRequest } from 'fastify'
import { PetStoreError } from '../../inventory/errors.ts'

/** The values of a header, in order. */
export function valuesOf(rawHeaders: readonly string[], lowerCaseName: string): string[] {
  return rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === lowerCaseName)
}

/**
 * Whether a header was sent more than once. Node keeps the first of two `Authorization`, `Content-Type` or `Host`
 * headers and joins most others with a comma; a proxy in front might have used another one.
 */
export function isRepeated(rawHeaders: readonly string[], lowerCaseName: string): boolean {
  let seen = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string
    // Compares the length first: most headers differ in it.
    if (name.length === lowerCaseName.length && name.toLowerCase() === lowerCaseName) seen++
  }
  return seen > 1
}

/** The error for a repeated header; undefined if it was sent at most once. */
export function refusalOfRepeated({ raw }: FastifyRequest, name: string): PetStoreError | undefined {
  if (!isRepeated(raw.rawHeaders, name.toLowerCase())) return undefined
  return new PetStoreError('invalid_request', `${name} must be sent once: the request has several such headers.`)
}
