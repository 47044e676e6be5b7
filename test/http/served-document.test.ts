import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { parse } from 'yaml'
import { openApiDocument } from '../../src/contract/document/openapi.ts'
import type { Environment } from '../../src/contract/environment.ts'
import { type Answer, rawRequest, readAnswers, startApp } from '../support/app.ts'
import { certificate } from '../support/certificates.ts'
import { production, staging } from '../support/reference-pages.ts'

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
      ['/pets/imports', ['get']],
      ['/pets/imports/{importId}/undo', ['post']],
      ['/store/orders', ['get', 'post']],
      ['/store/orders/{orderId}', ['get', 'patch']],
      ['/store/orders/export', ['get']],
      ['/store/inventory', ['get']],
      ['/store/days', ['get']],
      ['/categories', ['get', 'post']],
      ['/categories/{categoryId}', ['get', 'put', 'delete']],
      ['/events', ['get']],
      ['/keys', ['get', 'post']],
      ['/keys/{keyId}', ['get', 'patch']],
      ['/keys/{keyId}/revoke', ['post']],
      ['/keys/{keyId}/rotate', ['post']],
      ['/invitations', ['get', 'post']],
      ['/invitations/{invitationId}', ['get', 'delete']],
      ['/invitations/current', ['get']],
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

/** The first server of a document, JSON or YAML. */
function serverIn(answer: Answer | undefined): string {
  const document = (answer?.body ?? parse(answer?.text ?? '')) as { servers: [{ url: string }] }
  return document.servers[0].url
}
