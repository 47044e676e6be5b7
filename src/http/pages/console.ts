import type { Static } from 'typebox'
import type { Environment } from '../../contract/environment.ts'
import { Type } from '../../contract/schema.ts'
import { PetStoreError } from '../../inventory/errors.ts'
import type { ApiKey } from '../../inventory/keys.ts'
import type { Exchange, Reply, Route } from '../exchange.ts'
import { jsonReply } from '../replies/json.ts'
import type { Observer } from '../replies/observe.ts'
import { pageHeaders, fileReply, staticFile } from '../replies/static-file.ts'
import { isFromThisMachine } from '../request/local-request.ts'
import { bodyCheck, openRoute } from '../route.ts'
import { howToBundle } from './console-bundle.ts'
import { findFile, loadConsole } from './console-files.ts'

/** Exchanges the code of a sign-in link for its key, once; undefined for any other code. */
export type RedeemCode = (code: string) => Promise<string | undefined>

export interface ConsoleRoutesOptions {
  environment: Environment
  observer: Observer
  redeemCode?: RedeemCode | undefined
  /** Whether the page is that of a sandbox, which has a view more. */
  isSandbox?: boolean
}

/** The page for shop staff, and its two requests beyond the API: the permission of a key, and the sign-in. */
export function consoleRoutes(options: ConsoleRoutesOptions): Route[] {
  const { environment, observer, redeemCode, isSandbox = false } = options
  return [
    openRoute('GET', '/', async (exchange) => {
      const files = await loadConsole()
      const page = isSandbox ? files?.sandboxPage : files?.page
      if (page !== undefined) return fileReply(exchange, page, { headers: protections })
      observer.unavailable(notBundled, exchange.request.id)
      return { ...fileReply(exchange, missingPage, { headers: protections, caching: 'no-store' }), status: 503 }
    }),
    openRoute('GET', '/console/:file', consoleFile),

    openRoute(
      'GET',
      '/console/key',
      ({ findings }) => {
        const { id, name, permission } = findings.key as ApiKey
        return jsonReply(JSON.stringify({ id, name, permission, environment }))
      },
      { requiresKey: true },
    ),

    openRoute('POST', '/console/sign-in', (exchange) => signIn(exchange, redeemCode), { checkBody: bodyCheck(SignIn) }),
  ]
}

const SignIn = Type.Object({ code: Type.String({ minLength: 1, maxLength: 100 }) })

async function signIn(exchange: Exchange, redeemCode: RedeemCode | undefined): Promise<Reply> {
  if (!isFromThisMachine(exchange.request)) {
    throw new PetStoreError('forbidden', 'A sign-in link works only on the machine of the service.')
  }
  const { code } = exchange.findings.body as Static<typeof SignIn>
  const key = await redeemCode?.(code)
  if (key === undefined) throw new PetStoreError('gone', 'This sign-in link was already used or has expired.')
  return jsonReply(JSON.stringify({ key }))
}

async function consoleFile(exchange: Exchange): Promise<Reply> {
  const files = await loadConsole()
  const found = files === undefined ? undefined : findFile(files, exchange.findings.params['file'] ?? '')
  if (found === undefined) throw new PetStoreError('not_found', 'There is nothing at this path.')
  // During an upgrade the page may come from one instance and its files from another.
  const caching = found.isExact ? 'public, max-age=31536000, immutable' : 'no-cache'
  return fileReply(exchange, found.file, { headers: protections, caching })
}

const notBundled = `The console is not bundled. ${howToBundle}`
const missingPage = staticFile(
  'text/html; charset=utf-8',
  `<!doctype html><html lang="en"><title>Pet Store</title><p>${notBundled} The API and its <a href="docs">reference</a> work without it.</p></html>\n`,
)

/** Only our own files may run, be shown or be requested, and no other page may frame this one. */
export const protections = pageHeaders(
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
)
