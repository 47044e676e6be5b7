import assert from 'node:assert/strict'
import { globSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { buildGuides } from '../../src/http/pages/build-guides.ts'
import { renewBundle } from '../../src/http/pages/console-bundle.ts'
import { guidePages } from '../../src/http/replies/guide-pages.ts'
import { startApp } from '../support/app.ts'
import { temporaryFolder } from '../support/engines.ts'
import { startSandbox } from '../support/sandbox.ts'

await renewBundle()
const withoutKey = { headers: { authorization: '' } }
const docs = fileURLToPath(new URL('../../docs/', import.meta.url))

test('every guide is a page, and so are those for testers, webhooks and agents', () => {
  const sources = guidePages.map(({ source }) => source)
  const others = ['testing-against-it', 'webhooks', 'agents', 'verify', 'bugs', 'bugs-found'].map(
    (name) => `${name}.md`,
  )

  assert.deepEqual(sources.toSorted(), [...globSync('guides/*.md', { cwd: docs }), ...others].toSorted())
})

test('a guide is a page without a key, under the strict policy of the console, without inline scripts and styles', async (t) => {
  const { send } = await startApp(t)

  for (const { path } of guidePages) {
    const { status, headers, text } = await send(path, withoutKey)
    assert.equal(status, 200, path)
    assert.equal(headers.get('content-type'), 'text/html; charset=utf-8')
    assert.match(
      headers.get('content-security-policy') ?? '',
      /^default-src 'none'; script-src 'self'; style-src 'self';/,
    )
    assert.doesNotMatch(headers.get('content-security-policy') ?? '', /unsafe|https?:|\*/)
    assert.doesNotMatch(text, /<script(?![^>]*\ssrc=)|<style|\son\w+="|\sstyle=|\{\{/i, path)
  }
})

test('the address of a page with a slash after it leads to the page, also below a path of a proxy', async (t) => {
  const { send } = await startApp(t)

  for (const path of ['/docs', ...guidePages.map((page) => page.path)]) {
    const { status, headers, text } = await send(`${path}/`, { ...withoutKey, redirect: 'manual' })
    assert.equal(status, 308, path)
    assert.equal(text, '')
    const location = headers.get('location') ?? ''
    assert.equal(new URL(location, `http://petstore/shop${path}/`).pathname, `/shop${path}`)
  }
})

test('every link of a guide leads to a page of this service, and every anchor to a heading', async (t) => {
  const { send } = await startApp(t)
  const pages = new Map<string, string>()
  for (const { path } of guidePages) pages.set(path, (await send(path)).text)

  let links = 0
  for (const [path, html] of pages) {
    for (const [, href = ''] of html.matchAll(/(?:href|src)="([^"]+)"/g)) {
      if (/^https?:/.test(href)) continue
      const { pathname, hash } = new URL(href, `http://petstore${path}`)
      if (!pages.has(pathname)) assert.equal((await send(pathname)).status, 200, `${path}: ${href}`)
      if (hash !== '')
        assert.ok(pages.get(pathname)?.includes(`id="${decodeURIComponent(hash.slice(1))}"`), `${path}: ${href}`)
      links++
    }
  }
  assert.ok(links > 200, String(links))
})

test('a link to a file that is no page is only its text', async (t) => {
  const { send } = await startApp(t)

  const { text } = await send('/docs/guides/finding-bugs')

  assert.doesNotMatch(text, /href="[^"]*(?:decisions|\.md)/)
})

test('the languages of a guide are sections of one group, each with its code as it is in the file', async (t) => {
  const { send } = await startApp(t)

  const { text } = await send('/docs/guides/paging')

  assert.equal(text.match(/<div class="languages">/g)?.length, 1)
  const sections = [...text.matchAll(/<section id="([a-z]+)">/g)].map(([, id]) => id)
  assert.deepEqual(sections, ['curl', 'typescript', 'python'])
  assert.match(text, /<code>next=&quot;\$URL\/pets\?categoryId=2&amp;limit=2&quot;\n/)
})

test('the description of a guide is its first sentence, without Markdown', async (t) => {
  const { send } = await startApp(t)
  const descriptions = new Map<string, string>()
  for (const { path } of guidePages)
    descriptions.set(path, /<meta name="description" content="([^"]*)">/.exec((await send(path)).text)?.[1] ?? '')

  for (const [path, text] of descriptions) {
    assert.match(text, /^.{20,150}\.$/, path)
    assert.doesNotMatch(text, /[`*\][]/, path)
  }
  assert.match(descriptions.get('/docs/verify') ?? '', /^petstore verify judges .* from outside\.$/)
  assert.match(descriptions.get('/docs/agents') ?? '', / permissions and rules\.$/)
  assert.match(descriptions.get('/docs/bugs') ?? '', /^A shop of petstore sandbox can be wrong .*\bfind\.$/)
})

test('a description ends with an ellipsis if the first sentence is long', async (t) => {
  const folder = temporaryFolder(t)
  mkdirSync(join(folder, 'docs/guides'), { recursive: true })
  writeFileSync(join(folder, 'docs/guides/keys.md'), `# Keys\n\nA key, ${'word, '.repeat(40)}and so on.\n`)

  const { '/docs/guides/keys': description = '' } = await buildGuides(folder, '{{description}}')

  assert.match(description, /^A key, (word, )+word …$/)
  assert.ok(description.length <= 150)
})

test('every link of the Markdown that is served leads to a page of this service', async (t) => {
  const { send } = await startApp(t)
  const sources = guidePages.map(({ source }) => `/docs/${source}`).filter((path) => path.startsWith('/docs/guides/'))

  let links = 0
  for (const path of ['/llms.txt', ...sources]) {
    const { status, text } = await send(path)
    assert.equal(status, 200, path)
    for (const [, href = ''] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^(https?:|#)/.test(href)) continue
      const { pathname } = new URL(href, `http://petstore${path}`)
      assert.equal((await send(pathname)).status, 200, `${path}: ${href}`)
      links++
    }
  }
  assert.ok(links > 30, String(links))
})

test('a link of the Markdown leads to the page of its file, at its heading, and to nothing that is not served', async (t) => {
  const { send } = await startApp(t)

  const { text } = await send('/docs/guides/finding-bugs.md')

  assert.match(text, /\]\(\/docs\/bugs\)/)
  assert.match(text, /\]\(\/docs\/verify\)/)
  assert.match(text, /\]\(\/docs\/testing-against-it#journal\)/)
  assert.doesNotMatch(text, /decisions\//)
})

test('the reference page has links for a browser without scripts', async (t) => {
  const { send } = await startApp(t)

  const [, links = ''] = /<noscript>(.*?)<\/noscript>/s.exec((await send('/docs')).text) ?? []

  assert.match(links, /<a href="openapi.json">/)
  assert.match(links, /<a href="docs\/guides">/)
})

test('the reference page, the console and the catalog lead to the guides', async (t) => {
  const { send } = await startApp(t)

  assert.match((await send('/docs')).text, /<a href="docs\/guides">Guides<\/a>/)
  assert.match((await send('/.well-known/api-catalog')).text, /\/docs\/guides"/)
})

test('a sandbox has the guides, too', async (t) => {
  const { origin } = await startSandbox(t)

  assert.equal((await fetch(`${origin}/docs/guides/sandbox`)).status, 200)
})
