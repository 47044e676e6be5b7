import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { startApp } from '../support/app.ts'
import { production, staging } from '../support/reference-pages.ts'

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

  const tags = text.match(/<(script\b|link rel="preload")[^>]*>[^<]*/g) ?? []
  const answers = await Promise.all(tags.map((tag) => send(`/${/ (?:src|href)="([^"]+)"/.exec(tag)?.[1]}`)))

  assert.equal(tags.length, 2)
  for (const tag of tags) assert.match(tag, / (src|href)="docs\/\w+\.js">\s*$/)
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

function policyOf(headers: Headers): Record<string, string[]> {
  const directives = (headers.get('content-security-policy') ?? '').split(';').map((text) => text.trim().split(' '))
  return Object.fromEntries(directives.map(([name, ...sources]) => [name, sources]))
}
