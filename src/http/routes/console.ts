import type { onRequestHookHandler } from 'fastify'
import type { Environment } from '../../contract/environment.ts'
import { Type } from '../../contract/schema.ts'
import { PetStoreError } from '../../inventory/errors.ts'
import type { ApiKey } from '../../inventory/keys.ts'
import { sendJson } from '../replies/json-reply.ts'
import { pageHeaders } from '../replies/page-headers.ts'
import { sendFile } from '../replies/static-file.ts'
import { type ConsoleFile, readConsole } from './console-files.ts'
import type { App } from '../fastify-types.ts'
import { isFromThisMachine } from '../request/local-request.ts'

/** Turns the code of a sign-in link into the key that it stands for, once; undefined for any other code. */
export type RedeemCode = (code: string) => Promise<string | undefined>

export interface ConsoleRoutesOptions {
  environment: Environment
  authenticate: onRequestHookHandler
  redeemCode?: RedeemCode | undefined
}

/** Read once, however many apps a process builds. */
let files: readonly ConsoleFile[] | undefined

/** The page for shop staff, and the two questions that it asks beyond the API: who am I, and what is behind this link? */
export function consoleRoutes(app: App, { environment, authenticate, redeemCode }: ConsoleRoutesOptions): void {
  for (const { path, file } of (files ??= readConsole())) {
    app.route({
      method: ['GET', 'HEAD'],
      url: path,
      handler: (request, reply) => sendFile(request, reply.headers(protections), file),
    })
  }

  app.get('/console/key', { onRequest: authenticate }, (request, reply) => {
    const { name, permission } = request.apiKey as ApiKey
    reply.header('cache-control', 'no-store')
    sendJson(reply, JSON.stringify({ name, permission, environment }))
  })

  app.post('/console/sign-in', { schema: { body: SignIn } }, async (request, reply) => {
    if (!isFromThisMachine(request)) {
      throw new PetStoreError('forbidden', 'A sign-in link works only on the machine that the service runs on.')
    }
    const key = await redeemCode?.(request.body.code)
    if (key === undefined) throw new PetStoreError('gone', 'This sign-in link was used already or is too old.')
    reply.header('cache-control', 'no-store')
    sendJson(reply, JSON.stringify({ key }))
    return reply
  })
}

const SignIn = Type.Object({ code: Type.String({ minLength: 1, maxLength: 100 }) })

/** Nothing but our own files runs, is shown or is asked, and no other page may frame this one. */
const protections = pageHeaders(
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
)
