import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from 'yaml'
import { startApp } from '../support/app.ts'

const paths = [
  '/openapi.json',
  '/openapi.yaml',
  '/asyncapi.json',
  '/arazzo.yaml',
  '/llms.txt',
  '/docs/guides/paging.md',
  '/.well-known/api-catalog',
]

for (const path of [...paths, '/docs', '/docs/start.js', '/docs/reference.js', '/', '/console/main.js']) {
  test(`${path} is compressed for clients that accept gzip, and not for others`, async (t) => {
    const { send } = await startApp(t)

    const plain = await send(path, { headers: { 'accept-encoding': 'gzip;q=0' } })
    const compressed = await send(path, { headers: { 'accept-encoding': 'br;q=0.5, gzip' } })

    assert.equal(plain.status, 200)
    assert.equal(plain.headers.get('content-encoding'), null)
    assert.equal(compressed.headers.get('content-encoding'), 'gzip')
    assert.match(compressed.headers.get('vary') ?? '', /Accept-Encoding/)
    assert.notEqual(compressed.headers.get('etag'), plain.headers.get('etag'))
    assert.equal(compressed.text, plain.text)
  })

  test(`${path} is revalidated by its ETag, compressed or not`, async (t) => {
    const { send } = await startApp(t)

    for (const encoding of ['identity', 'gzip']) {
      const headers = { 'accept-encoding': encoding }
      const etag = (await send(path, { headers })).headers.get('etag') as string
      const again = await send(path, { headers: { ...headers, 'if-none-match': etag } })

      assert.match(etag, /^"[^"]+"$/)
      assert.equal(again.status, 304)
    }
  })
}

for (const path of paths) {
  test(`${path} needs no key and may be read by any origin`, async (t) => {
    const { send } = await startApp(t)

    const answer = await send(path, { headers: { authorization: '', origin: 'https://tool.example' } })

    assert.equal(answer.status, 200)
    assert.equal(answer.headers.get('access-control-allow-origin'), '*')
  })
}

test('other origins may not read the animals unless they are configured', async (t) => {
  const { send } = await startApp(t)

  const answer = await send('/v1/pets', { headers: { origin: 'https://tool.example' } })

  assert.equal(answer.headers.get('access-control-allow-origin'), null)
})

test('/openapi.yaml is the same document as /openapi.json', async (t) => {
  const { send } = await startApp(t)

  const json = await send('/openapi.json')
  const yaml = await send('/openapi.yaml')

  assert.equal(yaml.headers.get('content-type'), 'application/yaml')
  assert.deepEqual(parse(yaml.text), json.body)
})

for (const [minStability, served] of [
  ['stable', ['add-and-find', 'page-through-all', 'retry-safely']],
  ['beta', ['add-and-find', 'page-through-all', 'lost-update', 'retry-safely']],
  [
    'experimental',
    ['add-and-find', 'page-through-all', 'order-to-sale', 'lost-update', 'retry-safely', 'rotate-a-key'],
  ],
] as const) {
  test(`/arazzo.yaml has the workflows whose operations are served: ${minStability}`, async (t) => {
    const { send } = await startApp(t, { minStability })

    const { text, headers } = await send('/arazzo.yaml')

    const { arazzo, workflows } = parse(text) as { arazzo: string; workflows: { workflowId: string }[] }
    assert.equal(headers.get('content-type'), 'application/yaml')
    assert.equal(arazzo, '1.0.1')
    assert.deepEqual(
      workflows.map(({ workflowId }) => workflowId),
      served,
    )
  })
}

test('/llms.txt names every operation that is served', async (t) => {
  const { send } = await startApp(t, { minStability: 'stable' })
  const { paths: served } = (await send('/openapi.json')).body as { paths: Record<string, Record<string, object>> }

  const { text } = await send('/llms.txt')

  const named = [...text.matchAll(/^- `([A-Z]+) \/v1(\S+)`/gm)].map(([, method, path]) => `${method} ${path}`)
  const expected = Object.entries(served).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )
  assert.deepEqual(named, expected)
})

test('/llms.txt leads to the guides, as plain text for programs', async (t) => {
  const { send } = await startApp(t)
  const { text } = await send('/llms.txt')

  const linked = [...text.matchAll(/^- \[[^\]]+\]\((\/docs\/guides\/[\w-]+\.md)\): ./gm)].map(([, path = '']) => path)
  for (const path of linked) {
    const page = await send(path)
    assert.equal(page.status, 200)
    assert.equal(page.headers.get('content-type'), 'text/plain; charset=utf-8')
    assert.match(page.text, /^# /)
  }

  assert.ok(linked.includes('/docs/guides/events.md'))
})

test('/.well-known/api-catalog leads to the documents of the service (RFC 9727)', async (t) => {
  const { send } = await startApp(t, { baseUrls: { production: 'https://pets.example/v1' } })

  const answer = await send('/.well-known/api-catalog')

  const { linkset } = JSON.parse(answer.text) as { linkset: { anchor: string; 'service-desc': { href: string }[] }[] }
  assert.match(answer.headers.get('content-type') ?? '', /^application\/linkset\+json/)
  assert.equal(linkset[0]?.anchor, 'https://pets.example/v1')
  assert.equal(linkset[0]?.['service-desc'][0]?.href, 'https://pets.example/openapi.json')
})
