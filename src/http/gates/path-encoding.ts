import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { PetStoreError } from '../../inventory/errors.ts'

const mended = Symbol('mended')

/**
 * Makes an undecodable path routable and marks the request: the router would refuse it before all gates, but a request
 * without a key must get 401 first.
 */
export function mendPath(request: IncomingMessage & { [mended]?: boolean }, url: string): string {
  if (!url.includes('%')) return url
  const end = url.indexOf('?')
  const path = end === -1 ? url : url.slice(0, end)
  try {
    decodeURIComponent(path)
    return url
  } catch {
    request[mended] = true
    // ASCII escapes stay: /%761 is /v1 and requires a key.
    return path.replace(/%(?![0-7][0-9a-f])/gi, '%25') + (end === -1 ? '' : url.slice(end))
  }
}

/** Part of the route gate. */
export function refuseBrokenPath(request: FastifyRequest, _reply: unknown, done: (error?: Error) => void): void {
  if ((request.raw as { [mended]?: boolean })[mended] !== true) return done()
  done(
    new PetStoreError(
      'invalid_request',
      'The path has a broken percent escape: % must begin the two hexadecimal digits of a byte of UTF-8.',
    ),
  )
}
