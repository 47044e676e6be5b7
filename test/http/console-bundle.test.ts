import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { readBundle, renewBundle } from '../../src/http/pages/console-bundle.ts'
import { temporaryFolder } from '../support/engines.ts'

const sources = {
  'package.json': '{"dependencies":{}}',
  'console/index.html': '<link href="console/style.css"><script src="console/main.js"></script>',
  'console/guide.html': '<title>{{title}}</title><link href="{{root}}console/guides.css">{{content}}',
  'console/guides.ts': '',
  'console/style/guides.css': 'i { color: red }',
  'docs/guides/keys.md':
    '# Keys\n\nSee [paging](paging.md), [errors](errors.md#codes).\n\n## curl\n\n```sh\ncurl "$URL"\n```\n',
  'docs/guides/errors.md': '# Errors & codes\n',
  'console/sandbox.html': '<script src="console/sandbox.js"></script>',
  'console/sandbox.tsx': `document.title = 'Sandbox'`,
  'console/style/sandbox.css': 'b { color: red }',
  'console/main.tsx': `import { greeting } from './greeting.ts'\ndocument.title = greeting`,
  'console/greeting.ts': `export const greeting: string = 'Hello'`,
  'console/before-paint.ts': '',
  'console/style/style.css': 'p { color: red }',
  'console/icon.svg': '<svg/>',
  'console/paw.svg': '<svg/>',
}

function smallConsole(t: TestContext): string {
  const folder = temporaryFolder(t)
  for (const [name, text] of Object.entries(sources)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return folder
}

const withoutEsbuild = () => Promise.reject(new Error("Cannot find package 'esbuild'"))

test('the console is bundled once: nothing is done while its sources are the same', async (t) => {
  const folder = smallConsole(t)

  const first = await renewBundle(folder)
  const second = await renewBundle(folder, withoutEsbuild)
  const { page, files } = (await readBundle(folder))!

  assert.deepEqual(first, { sentence: 'The console is not bundled: it is bundled now.', isCurrent: true })
  assert.equal(second, undefined)
  const [, style = '', script = ''] = /"console\/(style-\w{8}\.css)".*"console\/(main-\w{8}\.js)"/.exec(page) ?? []
  assert.match(files[script] ?? '', /^document\.title="Hello"|"Hello".*document\.title/)
  assert.match(files[style] ?? '', /^p\{color:red\}/)
  assert.ok(`${script}.map` in files)
})

test('a change of any source is noticed and bundled, and changes the name of its file alone', async (t) => {
  const folder = smallConsole(t)
  await renewBundle(folder)
  const before = Object.keys((await readBundle(folder))!.files)
  writeFileSync(join(folder, 'console/greeting.ts'), `export const greeting: string = 'Good evening'`)

  const notice = await renewBundle(folder)
  const after = Object.keys((await readBundle(folder))!.files)

  assert.deepEqual(notice, {
    sentence: 'The console has changed since it was bundled: it is bundled now.',
    isCurrent: true,
  })
  assert.deepEqual(
    after.filter((name) => !before.includes(name)).map((name) => name.replace(/-\w{8}/, '')),
    ['main.js.map', 'main.js'],
  )
})

test('a guide is made of its Markdown, with links to other guides, and again when the file changes', async (t) => {
  const folder = smallConsole(t)
  await renewBundle(folder)
  const { guides } = (await readBundle(folder))!

  assert.deepEqual(Object.keys(guides), ['/docs/guides/keys', '/docs/guides/errors'])
  assert.match(
    guides['/docs/guides/keys'] ?? '',
    /^<title>Keys<\/title><link href="..\/..\/console\/guides-\w{8}\.css"><h1 id="keys">Keys<\/h1>\n<p>See paging, <a href="errors#codes">errors<\/a>/,
  )
  assert.match(guides['/docs/guides/errors'] ?? '', /<title>Errors &amp; codes</)
  writeFileSync(join(folder, 'docs/guides/errors.md'), '# Faults\n')
  await renewBundle(folder)
  assert.match((await readBundle(folder))!.guides['/docs/guides/errors'] ?? '', /<title>Faults</)
})

test('without esbuild the old bundle stays, and the sentence names the missing step', async (t) => {
  const folder = smallConsole(t)

  const never = await renewBundle(folder, withoutEsbuild)
  await renewBundle(folder)
  writeFileSync(join(folder, 'console/greeting.ts'), '')
  const changed = await renewBundle(folder, withoutEsbuild)

  assert.equal(never?.isCurrent, false)
  assert.match(never.sentence, /^The console is not bundled, and bundling it failed\. Run "npm ci".* 'esbuild'\.$/)
  assert.equal(changed?.isCurrent, false)
  assert.match(changed.sentence, /^The console has changed since it was bundled, and .* Run "npm ci"/)
  assert.match(JSON.stringify(await readBundle(folder)), /Hello/)
})

test('a source that cannot be bundled is named, and a damaged bundle is made again', async (t) => {
  const folder = smallConsole(t)
  writeFileSync(join(folder, 'console/main.tsx'), 'const = 1')
  const refused = await renewBundle(folder)
  writeFileSync(join(folder, 'console/main.tsx'), sources['console/main.tsx'])
  mkdirSync(join(folder, 'console/dist'), { recursive: true })
  writeFileSync(join(folder, 'console/dist/bundle.json'), '{"sources":')

  const repaired = await renewBundle(folder)

  assert.match(refused?.sentence ?? '', /console\/main\.tsx:1:6/)
  assert.equal(repaired?.isCurrent, true)
})

test('a bundle without its sources, as in the image, is left as it is', async (t) => {
  const made = smallConsole(t)
  const folder = temporaryFolder(t)
  await renewBundle(made)
  mkdirSync(join(folder, 'console/dist'), { recursive: true })
  writeFileSync(join(folder, 'console/dist/bundle.json'), readFileSync(join(made, 'console/dist/bundle.json')))

  assert.equal(await renewBundle(folder, withoutEsbuild), undefined)
})
