import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import type { Environment } from '../../contract/environment.ts'
import { Type } from '../../contract/schema.ts'
import { PetStoreError } from '../../inventory/errors.ts'
import type { ApiKey } from '../../inventory/keys.ts'
import { sendJson } from '../replies/json-reply.ts'
import type { Observer } from '../replies/observe.ts'
import { pageHeaders } from '../replies/page-headers.ts'
import { sendFile, staticFile } from '../replies/static-file.ts'
import { howToBundle } from './console-bundle.ts'
import { findFile, loadConsole } from './console-files.ts'
import type { App } from '../fastify-types.ts'
import { isFromThisMachine } from '../request/local-request.ts'

/** Exchanges the code of a sign-in link for its key, once; undefined for any other code. */
export type RedeemCode = (code: string) => Promise<string | undefined>

export interface ConsoleRoutesOptions {
  environment: Environment
  observer: Observer
  keyGates: onRequestHookHandler[]
  redeemCode?: RedeemCode | undefined
}

/** The page for shop staff, and its two requests beyond the API: the permission of a key, and the sign-in. */
export function consoleRoutes(app: App, { environment, observer, keyGates, redeemCode }: ConsoleRoutesOptions): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/',
    async handler(request, reply) {
      const files = await loadConsole()
      if (files !== undefined) return sendFile(request, reply.headers(protections), files.page)
      observer.unavailable(notBundled, request.id)
      return sendFile(request, reply.code(503).headers(protections), missingPage, 'no-store')
    },
  })
  app.route({ method: ['GET', 'HEAD'], url: '/console/:file', handler: sendConsoleFile })

  app.get('/console/key', { onRequest: keyGates }, (request, reply) => {
    const { id, name, permission } = request.apiKey as ApiKey
    reply.header('cache-control', 'no-store')
    sendJson(reply, JSON.stringify({ id, name, permission, environment }))
  })

  app.post('/console/sign-in', { schema: { body: SignIn } }, async (request, reply) => {
    if (!isFromThisMachine(request)) {
      throw new PetStoreError('forbidden', 'A sign-in link works only on the machine of the service.')
    }
    const key = await redeemCode?.(request.body.code)
    if (key === undefined) throw new PetStoreError('gone', 'This sign-in link was already used or has expired.')
    reply.header('cache-control', 'no-store')
    sendJson(reply, JSON.stringify({ key }))
    return reply
  })
}

async function sendConsoleFile(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { file: name } = request.params as { file: string }
  const files = await loadConsole()
  const found = files === undefined ? undefined : findFile(files, name)
  if (found === undefined) throw new PetStoreError('not_found', 'There is nothing at this path.')
  // During an upgrade the page may come from one instance and its files from another.
  const caching = found.isExact ? 'public, max-age=31536000, immutable' : 'no-cache'
  return sendFile(request, reply.headers(protections), found.file, caching)
}

const notBundled = `The console is not bundled. ${howToBundle}`
const missingPage = staticFile(
  'text/html; charset=utf-8',
  `<!doctype html><html lang="en"><title>Pet Store</title><p>${notBundled} The API and its <a href="docs">reference</a> work without it.</p></html>\n`,
)

const SignIn = Type.Object({ code: Type.String({ minLength: 1, maxLength: 100 }) })

/** Only our own files may run, be shown or be requested, and no other page may frame this one. */
const protections = pageHeaders(
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
)
