import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { Route } from '../exchange.ts'
import { etagOf } from '../replies/etag.ts'
import { pageHeaders, fileReply, type StaticFile, staticFile } from '../replies/static-file.ts'
import { openRoute } from '../route.ts'
import { trailingSlashRoute } from './trailing-slash.ts'

/**
 * A page to read and try the OpenAPI document. It needs no key: it contains no animals. Without a configured base
 * address it sends requests to where it came from: a proxy may have another address than the service sees.
 */
export function referenceRoutes(baseUrls: readonly string[], configuredBase: string | undefined): Route[] {
  const headers = pageHeaders(contentSecurityPolicy(baseUrls))
  const files = [
    ['/docs', staticFile('text/html; charset=utf-8', page(configuredBase === undefined ? ' data-server="v1"' : ''))],
    ['/docs/start.js', staticFile('text/javascript; charset=utf-8', read('reference-start.js'))],
    ['/docs/style.css', staticFile('text/css; charset=utf-8', read('reference-style.css'))],
  ] as const
  return [
    ...files.map(([path, file]) => openRoute('GET', path, (exchange) => fileReply(exchange, file, { headers }))),
    openRoute('GET', '/docs/reference.js', async (exchange) => fileReply(exchange, await referenceScript())),
    trailingSlashRoute('/docs'),
  ]
}

let loading: Promise<StaticFile> | undefined

/** Loaded on first use, then kept. It is the same for every address. */
function referenceScript(): Promise<StaticFile> {
  return (loading ??= loadScript().catch((error: Error) => {
    loading = undefined
    throw error
  }))
}

/** From `@scalar/api-reference`; `npm run make -- reference` puts it there. */
async function loadScript(): Promise<StaticFile> {
  const gzipped = await readFile(new URL('scalar/standalone.js.gz', import.meta.url))
  const plain = await promisify(gunzip)(gzipped)
  return { type: 'text/javascript; charset=utf-8', plain, gzipped, etag: etagOf(gzipped.toString('latin1')) }
}

/** Allows only our own script, and requests only to this service and its base addresses. */
function contentSecurityPolicy(baseUrls: readonly string[]): string {
  const origins = baseUrls.map((url) => ` ${new URL(url).origin}`).join('')
  return (
    `default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; ` +
    `font-src 'self' data:; connect-src 'self'${origins}; worker-src 'self' blob:; base-uri 'none'; ` +
    `form-action 'none'; frame-ancestors 'none'`
  )
}

function read(name: string): Buffer {
  return readFileSync(new URL(name, import.meta.url))
}

const page = (server: string) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>Pet Store reference</title>
    <meta name="description" content="Every operation of the Pet Store API, with examples to try.">
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="docs/style.css">
    <link rel="preload" as="script" href="docs/reference.js">
  </head>
  <body>
    <header class="to-console"><a href="./">Pet Store console</a> <a href="docs/guides">Guides</a></header>
    <noscript>
      <p class="to-console">
        This page needs JavaScript. The <a href="openapi.json">OpenAPI document</a> and the
        <a href="docs/guides">guides</a> work without it.
      </p>
    </noscript>
    <div id="app"${server}></div>
    <script type="module" src="docs/start.js"></script>
  </body>
</html>
`
