import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
/** Every page of the project, and none of an installed package, of a build or of a generated client. */
const pages = ['*.md', '{bench,client,console,deploy,docs,release,server,src,test}/**/*.md'].flatMap((pattern) =>
  globSync(pattern, { cwd: root, exclude: (name) => ['node_modules', 'dist', 'out'].includes(name) }),
)

/** A page without its blocks of code. */
function textOf(page: string): string {
  return readFileSync(join(root, page), 'utf8').replaceAll(/^ *```.*?^ *```/gms, '')
}

/** The lines of a page that are prose: no code, no tables, no HTML. */
function proseOf(page: string): string[] {
  return textOf(page)
    .split('\n')
    .filter((line) => !/^\s*[|<]/.test(line))
}

/** The anchors that GitHub gives to the headings of a page. */
function anchorsOf(page: string): Set<string> {
  const headings = proseOf(page).filter((line) => line.startsWith('#'))
  return new Set(
    headings.map((heading) =>
      heading
        .replace(/^#+ /, '')
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\- ]/gu, '')
        .replaceAll(' ', '-'),
    ),
  )
}

test('lines of prose have at most 120 characters', () => {
  // The results are written by the bench.
  const written = pages.filter((page) => !page.startsWith(join('bench', 'results')))
  const long = written.flatMap((page) =>
    proseOf(page).filter((line) => line.replaceAll(/`[^`]*`/g, 'code').length > 120 && line.length > 120),
  )

  assert.deepEqual(long, [])
})

/** Whether a file of the project has this path, and this heading if one is named. */
function isThere(path: string, anchor?: string): boolean {
  if (!existsSync(join(root, path))) return false
  return anchor === undefined || !path.endsWith('.md') || anchorsOf(path).has(anchor)
}

test('every link to a file or a heading of the project is valid, in tables and HTML too', () => {
  const forms = [
    /\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g,
    /^\[[^\]]+\]: (?!https?:)([^#\s]*)(?:#(\S+))?/gm,
    /(?:src|href)="(?!https?:)([^"#]*)(?:#([^"]+))?"/g,
  ]
  const links = pages.flatMap((page) =>
    forms
      .flatMap((form) => [...textOf(page).matchAll(form)])
      .map(([link, path = '', anchor]) => ({ page, link, path, anchor })),
  )

  const broken = links.filter(
    ({ page, path, anchor }) => !isThere(path === '' ? page : normalize(join(dirname(page), path)), anchor),
  )

  assert.ok(links.length > 100, `${links.length} links`)
  assert.ok(pages.includes('bench/README.md') && pages.includes('client/README.md'))
  assert.deepEqual(
    broken.map(({ page, link }) => `${page}: ${link}`),
    [],
  )
})

test('every page that the program names exists, with the heading', () => {
  const sources = globSync('{src,client/src,verify/src,console,bin,deploy}/**/*.{ts,js,html,yaml,cfg,service}', {
    cwd: root,
  })

  const named = sources.flatMap((source) => {
    const names = readFileSync(join(root, source), 'utf8').matchAll(/\b((?:docs|deploy)\/[\w/-]+\.md)(?:#([\w-]+))?/g)
    return [...names].map(([name, path = '', anchor]) => ({ source, name, isThere: isThere(path, anchor) }))
  })

  assert.ok(named.length > 0)
  assert.deepEqual(
    named.filter((name) => !name.isThere),
    [],
  )
})

test('every decision has a number of its own, the same in its name and its title', () => {
  const decisions = pages.filter((page) => page.includes('decisions')).toSorted()

  const titled = decisions.map((page) => /^# (\d+)\. /.exec(readFileSync(join(root, page), 'utf8'))?.[1])
  const named = decisions.map((page) => String(Number(/(\d{4})-[^/\\]+$/.exec(page)?.[1])))

  assert.equal(new Set(named).size, named.length)
  assert.deepEqual(titled, named)
})

test('every source file that a page names exists', () => {
  const files = globSync('{src,client,server,verify,console,test,bench,deploy,bin,release}/**/*.{ts,js}', {
    cwd: root,
    exclude: (name) => name === 'node_modules',
  }).map((path) => `/${path.replaceAll('\\', '/')}`)
  const missing = pages.flatMap((page) => {
    const text = readFileSync(join(root, page), 'utf8')
    const names = text.matchAll(/`((?:[\w.-]+\/)*[\w-]+\.[jt]s)`/g)
    // The reader makes the file.
    const saved = new Set(text.matchAll(/\bSave\s+this\s+as\s+`([\w.-]+)`/g).map(([, name]) => name))
    return [...names]
      .filter(([, name]) => !saved.has(name) && !files.some((path) => path.endsWith(`/${name}`)))
      .map(([name]) => `${page}: ${name}`)
  })

  assert.ok(files.includes('/src/http/app.ts'))
  assert.deepEqual(missing, [])
})
