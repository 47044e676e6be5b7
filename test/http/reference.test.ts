import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { parse } from 'yaml'
import { openApiDocument } from '../../src/contract/document/openapi.ts'
import type { Environment } from '../../src/contract/environment.ts'
import { type Answer, rawRequest, readAnswers, startApp } from '../support/app.ts'
import { certificate } from '../support/certificates.ts'

const production = 'https://api.petstore.example/v1'
const staging = 'https://staging.petstore.example/v1'

const deployments: { environment: Environment; baseUrls: Partial<Record<Environment, string>> }[] = [
  { environment: 'production', baseUrls: {} },
  { environment: 'production', baseUrls: { production, staging } },
  { environment: 'staging', baseUrls: {} },
  { environment: 'staging', baseUrls: { production, staging } },
]

for (const deployment of deployments) {
  const name = `${deployment.environment} with ${Object.keys(deployment.baseUrls).length} base addresses`
  test(`/openapi.json is the OpenAPI document of the deployment: ${name}`, async (t) => {
    const { send, origin } = await startApp(t, deployment)

    const answer = await send('/openapi.json')

    const baseUrls = { [deployment.environment]: `${origin}/v1`, ...deployment.baseUrls }
    assert.equal(answer.status, 200)
    assert.equal(answer.headers.get('content-type'), 'application/json')
    assert.deepEqual(answer.body, JSON.parse(JSON.stringify(openApiDocument({ ...deployment, baseUrls }))))
  })
}

test('/openapi.json describes exactly the served operations', async (t) => {
  const { send } = await startApp(t)

  const { paths } = (await send('/openapi.json')).body as { paths: Record<string, Record<string, unknown>> }

  assert.deepEqual(
    Object.entries(paths).map(([path, operations]) => [path, Object.keys(operations)]),
    [
      ['/pets', ['get', 'post']],
      ['/pets/{petId}', ['get', 'patch', 'delete']],
      ['/pets/bulk', ['post']],
      ['/pets/import', ['post']],
      ['/pets/export', ['get']],
      ['/store/orders', ['get', 'post']],
      ['/store/orders/{orderId}', ['get', 'patch']],
      ['/store/orders/export', ['get']],
      ['/store/inventory', ['get']],
      ['/categories', ['get', 'post']],
      ['/categories/{categoryId}', ['get', 'put', 'delete']],
      ['/events', ['get']],
      ['/keys', ['get', 'post']],
      ['/keys/{keyId}', ['get', 'patch']],
      ['/keys/{keyId}/revoke', ['post']],
      ['/keys/{keyId}/rotate', ['post']],
      ['/invitations', ['get', 'post']],
      ['/invitations/{invitationId}', ['get', 'delete']],
      ['/invitations/redeem', ['post']],
      ['/webhooks', ['get', 'post']],
      ['/webhooks/{webhookId}', ['get', 'patch', 'delete']],
      ['/webhooks/{webhookId}/rotate', ['post']],
      ['/webhooks/{webhookId}/test', ['post']],
      ['/webhooks/{webhookId}/deliveries', ['get']],
      ['/webhooks/{webhookId}/deliveries/{deliveryId}/resend', ['post']],
    ],
  )
})

for (const [name, deployment, servers] of [
  ['production, no address known', deployments[0], [{ url: 'ORIGIN/v1', description: 'Production' }]],
  [
    'production, both known',
    deployments[1],
    [
      { url: production, description: 'Production' },
      { url: staging, description: 'Staging' },
    ],
  ],
  ['staging, no address known', deployments[2], [{ url: 'ORIGIN/v1', description: 'Staging' }]],
  [
    'staging, both known',
    deployments[3],
    [
      { url: staging, description: 'Staging' },
      { url: production, description: 'Production' },
    ],
  ],
] as const) {
  test(`servers lists the known addresses, this environment first: ${name}`, async (t) => {
    const { send, origin } = await startApp(t, deployment)

    const answer = await send('/openapi.json')

    const expected = servers.map(({ url, description }) => ({ url: url.replace('ORIGIN', origin), description }))
    assert.deepEqual((answer.body as { servers: unknown }).servers, expected)
  })
}

for (const path of ['/openapi.json', '/openapi.yaml']) {
  test(`${path} names the server by the address that was asked for`, async (t) => {
    const app = await startApp(t)
    const behindProxy = await startApp(t, { trustProxy: true })
    const forwarded = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'pets.example' }

    const asked = readAnswers(
      await app.sendRaw(rawRequest(`GET ${path}`, ['Host: shop.example:81', 'Connection: close'])),
    )

    assert.deepEqual(serverIn(asked[0]), 'http://shop.example:81/v1')
    assert.match(asked[0]?.headers.get('vary') ?? '', /\bHost\b/)
    assert.equal(serverIn(await behindProxy.send(path, { headers: forwarded })), 'https://pets.example/v1')
    assert.equal(serverIn(await app.send(path, { headers: forwarded })), `${app.origin}/v1`)
  })
}

test('over TLS the document names the server by https', async (t) => {
  const { app } = await startApp(t, { certificate: certificate('first') })
  const { port } = app.server.address() as AddressInfo

  const request = httpsRequest({ port, path: '/openapi.json', rejectUnauthorized: false }).end()
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  const text = Buffer.concat(await response.toArray()).toString()

  assert.equal(JSON.parse(text).servers[0].url, `https://localhost:${port}/v1`)
})

test('many addresses do not mix up their documents', async (t) => {
  const app = await startApp(t, { trustProxy: true })
  const ask = (n: number) => app.send('/openapi.json', { headers: { 'x-forwarded-host': `shop-${n}.example` } })

  for (let n = 0; n < 40; n++) assert.equal(serverIn(await ask(n % 20)), `http://shop-${n % 20}.example/v1`)
})

/** The first server of a document, JSON or YAML. */
function serverIn(answer: Answer | undefined): string {
  const document = (answer?.body ?? parse(answer?.text ?? '')) as { servers: [{ url: string }] }
  return document.servers[0].url
}

for (const known of [
  (etag: string) => etag,
  (etag: string) => `W/${etag}`,
  (etag: string) => `"other", ${etag}`,
  () => '*',
]) {
  test(`/openapi.json is revalidated by its ETag: If-None-Match: ${known('"etag"')}`, async (t) => {
    const { send } = await startApp(t)
    const etag = (await send('/openapi.json')).headers.get('etag') as string

    const answer = await send('/openapi.json', { headers: { 'if-none-match': known(etag) } })

    assert.match(etag, /^"[^"]+"$/)
    assert.equal(answer.status, 304)
    assert.equal(answer.headers.get('etag'), etag)
    assert.equal(answer.text, '')
  })
}

test('/openapi.json is sent in full for another ETag', async (t) => {
  const here = await startApp(t)
  const elsewhere = await startApp(t, { environment: 'staging' })
  const etag = (await elsewhere.send('/openapi.json')).headers.get('etag') as string

  const answer = await here.send('/openapi.json', { headers: { 'if-none-match': etag } })

  assert.equal(answer.status, 200)
  assert.notEqual(answer.headers.get('etag'), etag)
})

function policyOf(headers: Headers): Record<string, string[]> {
  const directives = (headers.get('content-security-policy') ?? '').split(';').map((text) => text.trim().split(' '))
  return Object.fromEntries(directives.map(([name, ...sources]) => [name, sources]))
}

test('the reference page sends requests to where it came from, unless a base address is configured', async (t) => {
  const { send } = await startApp(t)
  const configured = await startApp(t, { baseUrls: { production } })

  assert.match((await send('/docs')).text, /<div id="app" data-server="v1">/)
  assert.match((await configured.send('/docs')).text, /<div id="app">/)
})

test('the reference page is HTML and its policy allows only our scripts', async (t) => {
  const { send } = await startApp(t)

  const answer = await send('/docs')

  const policy = policyOf(answer.headers)
  assert.equal(answer.status, 200)
  assert.equal(answer.headers.get('content-type'), 'text/html; charset=utf-8')
  assert.equal(answer.headers.get('x-content-type-options'), 'nosniff')
  assert.deepEqual(policy['default-src'], ["'none'"])
  assert.deepEqual(policy['script-src'], ["'self'"])
  assert.deepEqual(policy['frame-ancestors'], ["'none'"])
  assert.deepEqual(policy['base-uri'], ["'none'"])
  assert.deepEqual(policy['form-action'], ["'none'"])
  assert.equal(answer.headers.get('referrer-policy'), 'no-referrer')
  assert.equal(answer.headers.get('cross-origin-opener-policy'), 'same-origin')
  assert.match(answer.headers.get('permissions-policy') ?? '', /\bcamera=\(\)/)
})

test('the script of the reference page is the one that was taken from its package, compressed for who accepts it', async (t) => {
  const { origin } = await startApp(t)
  const file = new URL('../../src/http/pages/scalar/origin.json', import.meta.url)
  const { sha256 } = JSON.parse(readFileSync(file, 'utf8')) as { sha256: string }

  for (const coding of ['gzip', 'identity']) {
    const response = await fetch(`${origin}/docs/reference.js`, { headers: { 'accept-encoding': coding } })
    assert.equal(response.headers.get('content-encoding') ?? 'identity', coding)
    assert.equal(response.headers.get('content-type'), 'text/javascript; charset=utf-8')
    assert.equal(hash('sha256', Buffer.from(await response.arrayBuffer())), sha256)
  }
})

for (const path of ['/docs', '/docs/start.js', '/docs/reference.js']) {
  test(`${path} is revalidated by its ETag`, async (t) => {
    const { send } = await startApp(t)
    const { headers } = await send(path)

    const again = await send(path, { headers: { 'if-none-match': headers.get('etag') ?? '' } })

    assert.deepEqual([again.status, again.text], [304, ''])
    assert.equal(again.headers.get('etag'), headers.get('etag'))
  })
}

test('the reference page may connect to no other host', async (t) => {
  const { send } = await startApp(t)

  const answer = await send('/docs')

  const sources = new Set(Object.values(policyOf(answer.headers)).flat())
  assert.deepEqual([...sources].toSorted(), ["'none'", "'self'", "'unsafe-inline'", 'blob:', 'data:'])
})

test('the reference page may connect only to the base addresses', async (t) => {
  const { send } = await startApp(t, { baseUrls: { production, staging } })

  const answer = await send('/docs')

  assert.deepEqual(policyOf(answer.headers)['connect-src'], [
    "'self'",
    'https://api.petstore.example',
    'https://staging.petstore.example',
  ])
})

test('the reference page and its start script name no other host', async (t) => {
  const { send } = await startApp(t)

  const texts = [(await send('/docs')).text, (await send('/docs/start.js')).text]

  for (const text of texts) assert.doesNotMatch(text, /\/\/[a-z0-9]/i)
})

test('every script of the reference page is served by this service, and none is inline', async (t) => {
  const { send } = await startApp(t)
  const { text } = await send('/docs')

  const tags = text.match(/<script\b[^>]*>[^<]*/g) ?? []
  const answers = await Promise.all(tags.map((tag) => send(`/${/ src="([^"]+)"/.exec(tag)?.[1]}`)))

  assert.equal(tags.length, 2)
  for (const tag of tags) assert.match(tag, / src="docs\/\w+\.js">$/)
  for (const { status, headers } of answers) {
    assert.equal(status, 200)
    assert.equal(headers.get('content-type'), 'text/javascript; charset=utf-8')
  }
})

test('the start script shows the document of this service', async (t) => {
  const { send } = await startApp(t)

  const { text } = await send('/docs/start.js')

  assert.match(text, /fetch\('openapi\.json'\)/)
})

test('the script of the reference is the same with and without gzip and has Vary: Accept-Encoding', async (t) => {
  const { send } = await startApp(t)

  const plain = await send('/docs/reference.js', { headers: { 'accept-encoding': 'identity' } })
  const compressed = await send('/docs/reference.js', { headers: { 'accept-encoding': 'gzip' } })

  assert.equal(plain.headers.get('content-encoding'), null)
  assert.equal(compressed.headers.get('content-encoding'), 'gzip')
  assert.ok(Number(compressed.headers.get('content-length')) < Number(plain.headers.get('content-length')) / 2)
  assert.ok(plain.text.length > 100_000)
  assert.ok(compressed.text === plain.text)
  assert.equal(plain.headers.get('vary'), 'Accept-Encoding')
  assert.equal(compressed.headers.get('vary'), 'Accept-Encoding')
})

test('with configured origins the script of the reference also has Vary: Origin', async (t) => {
  const { send } = await startApp(t, { corsOrigins: ['https://shop.example'] })

  const answer = await send('/docs/reference.js', { headers: { 'accept-encoding': 'gzip' } })

  assert.match(answer.headers.get('vary') ?? '', /\bOrigin\b/)
  assert.match(answer.headers.get('vary') ?? '', /\bAccept-Encoding\b/)
})

test('the script of the reference is revalidated', async (t) => {
  const { send } = await startApp(t)

  const answer = await send('/docs/reference.js')

  assert.match(answer.headers.get('cache-control') ?? '', /no-cache/)
})
