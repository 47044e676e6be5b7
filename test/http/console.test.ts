import assert from 'node:assert/strict'
import { test } from 'node:test'
import { renewBundle } from '../../src/http/pages/console-bundle.ts'
import { startApp } from '../support/app.ts'
import { type ConsoleFiles, loadConsole } from '../../src/http/pages/console-files.ts'
import { assertError } from '../support/error.ts'

const withoutKey = { headers: { authorization: '' } }

await renewBundle()

test('the console is at / without a key, and its policy allows only its own files', async (t) => {
  const { send } = await startApp(t)

  const answer = await send('/', withoutKey)

  assert.equal(answer.status, 200)
  assert.equal(answer.headers.get('content-type'), 'text/html; charset=utf-8')
  assert.equal(answer.headers.get('cache-control'), 'no-cache')
  assert.equal(answer.headers.get('x-content-type-options'), 'nosniff')
  assert.equal(answer.headers.get('referrer-policy'), 'no-referrer')
  assert.equal(answer.headers.get('cross-origin-opener-policy'), 'same-origin')
  assert.match(answer.headers.get('permissions-policy') ?? '', /\bcamera=\(\)/)
  const policy = answer.headers.get('content-security-policy') ?? ''
  for (const part of [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ]) {
    assert.ok(policy.split('; ').includes(part), part)
  }
  assert.doesNotMatch(policy, /unsafe|https?:|\*/)
})

test('the console has no inline scripts or styles', async (t) => {
  const { send } = await startApp(t)

  const { text } = await send('/')

  assert.doesNotMatch(text, /<script(?![^>]*\ssrc=)|<style|\son\w+=|\sstyle=|javascript:/i)
  for (const [, address = ''] of text.matchAll(/(?:src|href)="([^"]*)"/g))
    assert.match(address, /^(console\/[a-z-]+-[A-Z0-9]{8}\.|docs$)/)
})

/** The name of a file of the console, such as `main-3XQ5ZKPL.js` for `main.js`. */
async function nameOf(file: string): Promise<string> {
  const { files } = (await loadConsole()) as ConsoleFiles
  return [...files.keys()].find((name) => name.replace(/-[A-Z0-9]{8}/, '') === file) as string
}

test('the page names every file of the console, and each is served with its type', async (t) => {
  const { send } = await startApp(t)
  const types = {
    'main.js': 'text/javascript; charset=utf-8',
    'before-paint.js': 'text/javascript; charset=utf-8',
    'style.css': 'text/css; charset=utf-8',
    'icon.svg': 'image/svg+xml',
  }
  const page = (await send('/')).text

  for (const [file, type] of Object.entries(types)) {
    const name = await nameOf(file)
    const answer = await send(`/console/${name}`, withoutKey)
    assert.equal(answer.status, 200, name)
    assert.equal(answer.headers.get('content-type'), type, name)
    assert.equal(answer.headers.get('x-content-type-options'), 'nosniff')
    assert.ok(page.includes(`"console/${name}"`), `${name} is not named`)
  }
})

test('the modules of the console are served as one, without types, and with a source map for developers', async (t) => {
  const { send } = await startApp(t)
  const name = await nameOf('main.js')

  const script = await send(`/console/${name}`)
  const map = await send(`/console/${name}.map`)

  assert.doesNotMatch(script.text, /\bfrom ?["'][.]|\binterface\b/)
  assert.ok(script.text.endsWith(`//# sourceMappingURL=${name}.map\n`))
  assert.equal(map.headers.get('content-type'), 'application/json; charset=utf-8')
  assert.ok((map.body as { sources: string[] }).sources.includes('../state/store.ts'))
})

test('a file of the console is cached for ever under its own name, and revalidated under that of another version', async (t) => {
  const { send } = await startApp(t)

  const own = await send(`/console/${await nameOf('main.js')}`)
  const other = await send('/console/main-01234567.js')

  assert.equal(own.headers.get('cache-control'), 'public, max-age=31536000, immutable')
  assert.equal(other.headers.get('cache-control'), 'no-cache')
  assert.equal(other.text, own.text)
})

test('a file of the console is compressed and revalidated', async (t) => {
  const { origin, send } = await startApp(t)
  const path = `/console/${await nameOf('main.js')}`
  const response = await fetch(origin + path, { headers: { 'accept-encoding': 'gzip' } })
  await response.text()
  const etag = (await send(path)).headers.get('etag') as string

  const answer = await send(path, { headers: { 'if-none-match': etag } })

  assert.equal(response.headers.get('content-encoding'), 'gzip')
  assert.match(etag, /^"[^"]+"$/)
  assert.equal(answer.status, 304)
  assert.equal(answer.text, '')
})

for (const path of [
  '/console',
  '/console/',
  '/console/nothing.js',
  '/console/nothing-01234567.js',
  '/console/any/main.js',
  '/console/main.ts',
  '/console/any/console/main.ts',
  '/console/../package.json',
  '/console/%2e%2e/package.json',
  '/index.html',
  '/animals',
]) {
  test(`an unknown file of the console is a 404 in JSON: ${path}`, async (t) => {
    const { sendRaw } = await startApp(t)

    const answer = await sendRaw(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)

    assert.match(answer, /^HTTP\/1\.1 404 /)
    assert.match(answer, /"code":"not_found"/)
  })
}

test('the console allows only GET and HEAD', async (t) => {
  const { send } = await startApp(t)

  const answer = await send('/console/main.js', { method: 'DELETE' })

  assertError(answer, 'method_not_allowed')
  assert.equal(answer.headers.get('allow'), 'GET, HEAD, OPTIONS')
})
