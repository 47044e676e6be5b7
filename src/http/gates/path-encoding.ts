import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { PetStoreError } from '../../inventory/errors.ts'

const mended = Symbol('mended')

/**
 * Makes a path that cannot be decoded routable, and remembers it: the router would refuse it in front of all gates,
 * but a request without a key is to be asked for one first.
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
    // Escapes of ASCII stay: /%761 is still /v1, and asks for a key.
    return path.replace(/%(?![0-7][0-9a-f])/gi, '%25') + (end === -1 ? '' : url.slice(end))
  }
}

/** Part of the gate for the route. */
export function refuseBrokenPath(request: FastifyRequest, _reply: unknown, done: (error?: Error) => void): void {
  if ((request.raw as { [mended]?: boolean })[mended] !== true) return done()
  done(
    new PetStoreError(
      'invalid_request',
      'The path has a broken percent escape: % must begin the two hexadecimal digits of a byte of UTF-8.',
    ),
  )
}
