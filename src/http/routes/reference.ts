import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { openApiDocument, type OpenApiOptions } from '../../contract/openapi.ts'
import { addVary } from '../replies/json-reply.ts'
import type { App } from '../fastify-types.ts'
import { etagOf, isKnown, sendRevalidated } from '../replies/etag.ts'
import { pageHeaders } from '../replies/page-headers.ts'
import { sendShared } from '../replies/shared-bytes.ts'

/** The OpenAPI document, and a page to read it and try it on. Both without a key: they say nothing about the animals. */
export function referenceRoutes(app: App, { environment, baseUrls, offer }: Required<OpenApiOptions>): void {
  const text = JSON.stringify(openApiDocument({ environment, baseUrls, offer }))
  const document = Buffer.from(text)
  const etag = etagOf(text)
  const protections = pageHeaders(contentSecurityPolicy(Object.values(baseUrls)))
  const script = referenceScript()

  app.get('/openapi.json', (request, reply) => sendRevalidated(request, reply, document, etag))

  for (const [path, type, body] of [
    ['/docs', 'text/html; charset=utf-8', page],
    ['/docs/start.js', 'text/javascript; charset=utf-8', start],
  ] as const) {
    const bodyTag = etagOf(body)
    app.get(path, (request, reply) => {
      reply.headers({ ...protections, etag: bodyTag, 'cache-control': 'no-cache' })
      if (isKnown(request, bodyTag)) return reply.code(304).send()
      return reply.type(type).send(body)
    })
  }

  app.get('/docs/reference.js', async (request, reply) => {
    const { plain, gzipped, etag: scriptEtag } = await script()
    addVary(reply, 'Accept-Encoding')
    reply
      .type('text/javascript; charset=utf-8')
      .headers({ etag: `W/${scriptEtag}`, 'cache-control': 'private, no-cache' })
    if (isKnown(request, scriptEtag)) return reply.code(304).send()
    if (!/\bgzip\b/.test(request.headers['accept-encoding'] ?? '')) return sendShared(reply, plain)
    return sendShared(reply.header('content-encoding', 'gzip'), gzipped)
  })
}

// Loaded when first asked for, and then kept.
function referenceScript(): () => Promise<{ plain: Buffer; gzipped: Buffer; etag: string }> {
  async function load() {
    const thread = new Worker(new URL('./reference-script.js', import.meta.url))
    const [message] = (await once(thread, 'message')) as [{ plain: Uint8Array; gzipped: Uint8Array }]
    const gzipped = asBuffer(message.gzipped)
    return { plain: asBuffer(message.plain), gzipped, etag: etagOf(gzipped.toString('latin1')) }
  }
  let loading: ReturnType<typeof load> | undefined
  return () =>
    (loading ??= load().catch((error: Error) => {
      loading = undefined
      throw error
    }))
}

function asBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength)
}

/** Only our own script, and requests only to this service and the addresses it is known by. */
function contentSecurityPolicy(baseUrls: readonly string[]): string {
  const origins = baseUrls.map((url) => ` ${new URL(url).origin}`).join('')
  return (
    `default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; ` +
    `font-src 'self' data:; connect-src 'self'${origins}; worker-src 'self' blob:; base-uri 'none'; ` +
    `form-action 'none'; frame-ancestors 'none'`
  )
}

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>Pet Store reference</title>
    <link rel="icon" href="data:,">
  </head>
  <body>
    <div id="app"></div>
    <script src="/docs/reference.js"></script>
    <script src="/docs/start.js"></script>
  </body>
</html>
`

// Whoever is signed in to the console in this tab, or comes by the link that the first start printed, finds examples that
// work as they are. The code of a link is out of the address before anything else happens.
const start = `async function keyOfThisTab() {
  const code = /^#sign-in=(.+)$/.exec(location.hash)?.[1]
  if (code === undefined) return sessionStorage.getItem('petstore-key')
  history.replaceState(null, '', location.pathname)
  const answer = await fetch('/console/sign-in', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code: decodeURIComponent(code) }),
  })
  if (!answer.ok) return null
  const { key } = await answer.json()
  sessionStorage.setItem('petstore-key', key)
  return key
}

keyOfThisTab().catch(() => null).then((key) => Scalar.createApiReference('#app', {
  url: '/openapi.json',
  authentication: {
    preferredSecurityScheme: 'apiKey',
    ...(key !== null && { securitySchemes: { apiKey: { token: key } } }),
  },
  withDefaultFonts: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  telemetry: false,
  showDeveloperTools: 'never',
  hideClientButton: true,
  persistAuth: false,
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
}))
`
