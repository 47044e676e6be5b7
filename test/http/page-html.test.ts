import assert from 'node:assert/strict'
import { test } from 'node:test'
import { renewBundle } from '../../src/http/pages/console-bundle.ts'
import { startApp } from '../support/app.ts'
import { assertValid } from '../support/html.ts'
import { startSandbox } from '../support/sandbox.ts'

await renewBundle()
const voidElements = new Set(['meta', 'link', 'input', 'img', 'br', 'hr'])
const booleanAttributes = /^(?:async|autofocus|checked|defer|disabled|hidden|novalidate|readonly|required|selected)$/

interface Element {
  name: string
  attributes: Map<string, string | undefined>
}

/** The elements of a page. Throws at a tag that is not closed, or closed in the wrong place. */
function elementsOf(html: string): Element[] {
  const elements: Element[] = []
  const open: string[] = []
  for (const [, end, name = '', text = ''] of html.matchAll(
    /<(\/?)([a-z][a-z0-9-]*)((?:\s+[^\s=>]+(?:="[^"]*")?)*)\s*>/g,
  )) {
    if (end === '/') {
      assert.equal(open.pop(), name, `</${name}> closes another element`)
      continue
    }
    const found = [...text.matchAll(/([^\s=]+)(?:="([^"]*)")?/g)].map(([, key = '', value]) => [key, value] as const)
    const attributes = new Map(found)
    assert.equal(attributes.size, found.length, `an attribute of <${name}> is repeated`)
    elements.push({ name, attributes })
    if (!voidElements.has(name)) open.push(name)
  }
  assert.deepEqual(open, [])
  return elements
}

for (const path of ['/', '/docs', '/docs/guides/paging', '/docs/bugs']) {
  test(`the page at ${path} is valid HTML, with a title and a description`, async (t) => {
    const { send } = await startApp(t)
    const { text } = await send(path)

    const elements = elementsOf(text)

    assert.match(text, /^<!doctype html>\n<html lang="en">/)
    assert.equal(elements.length, text.match(/<[a-z]/g)?.length, 'every tag was read')
    const pairs = elements.flatMap(({ attributes }) => [...attributes])
    const valued = pairs.filter(([key, value]) => booleanAttributes.test(key) && value !== undefined && value !== '')
    assert.deepEqual(valued, [], 'a boolean attribute has no value')
    const ids = pairs.filter(([key]) => key === 'id').map(([, id]) => id)
    assert.equal(new Set(ids).size, ids.length, 'ids are unique')
    for (const [key, id] of pairs) if (['for', 'aria-describedby'].includes(key)) assert.ok(ids.includes(id), `#${id}`)
    assert.equal(elements.filter(({ name }) => name === 'title').length, 1)
    const described = elements.find(({ attributes }) => attributes.get('name') === 'description')
    assert.match(described?.attributes.get('content') ?? '', /^\S.{20,150}\.$/)
  })
}

test('the pages of the console, the reference and a guide pass html-validate', async (t) => {
  const { send } = await startApp(t)

  for (const path of ['/', '/docs', '/docs/guides/paging']) await assertValid((await send(path)).text)
})

test('the page of a sandbox passes html-validate', async (t) => {
  const { origin } = await startSandbox(t)
  const html = await (await fetch(origin)).text()

  assert.match(html, /Choose a shop/)
  await assertValid(html)
})

test('a source map that a script or a style names is served', async (t) => {
  const { send } = await startApp(t)
  const files = [...(await send('/')).text.matchAll(/(?:src|href)="(console\/[^"]+)"/g)].map(([, file]) => `/${file}`)

  for (const path of [...files, '/docs/start.js', '/docs/style.css', '/docs/reference.js']) {
    const { status, text } = await send(path)
    assert.equal(status, 200)
    const map = /sourceMappingURL=(\S+)/.exec(text)?.[1]
    if (map !== undefined) assert.equal((await send(new URL(map, `http://petstore${path}`).pathname)).status, 200, map)
  }
})
