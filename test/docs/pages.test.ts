import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const pages = ['*.md', 'docs/**/*.md', 'deploy/**/*.md', 'bench/README.md', 'client/README.md'].flatMap((pattern) =>
  globSync(pattern, { cwd: root }),
)

/** The lines of a page that are prose: no code, no tables, no HTML. */
function proseOf(page: string): string[] {
  const text = readFileSync(join(root, page), 'utf8').replaceAll(/^ *```.*?^ *```/gms, '')
  return text.split('\n').filter((line) => !/^\s*[|<]/.test(line))
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
  const long = pages.flatMap((page) =>
    proseOf(page).filter((line) => line.replaceAll(/`[^`]*`/g, 'code').length > 120 && line.length > 120),
  )

  assert.deepEqual(long, [])
})

test('every link to a file or a heading of the project is valid', () => {
  const broken = pages.flatMap((page) => {
    const links = proseOf(page)
      .join('\n')
      .matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)
    return [...links].flatMap(([link, path = '', anchor]) => {
      const target = path === '' ? page : normalize(join(dirname(page), path))
      const isThere = existsSync(join(root, target))
      const isBroken = !isThere || (anchor !== undefined && target.endsWith('.md') && !anchorsOf(target).has(anchor))
      return isBroken ? [`${page}: ${link}`] : []
    })
  })

  assert.deepEqual(broken, [])
})

test('every decision has a number of its own, the same in its name and its title', () => {
  const decisions = pages.filter((page) => page.includes('decisions')).toSorted()

  const titled = decisions.map((page) => /^# (\d+)\. /.exec(readFileSync(join(root, page), 'utf8'))?.[1])
  const named = decisions.map((page) => String(Number(/(\d{4})-[^/\\]+$/.exec(page)?.[1])))

  assert.deepEqual(
    named,
    decisions.map((_, index) => String(index + 1)),
  )
  assert.deepEqual(titled, named)
})

test('every source file that a page names exists', () => {
  const files = globSync('{src,client,console,test,bench,deploy,bin}/**/*.{ts,js}', {
    cwd: root,
    exclude: (name) => name === 'node_modules',
  }).map((path) => `/${path.replaceAll('\\', '/')}`)
  const missing = pages.flatMap((page) => {
    const names = readFileSync(join(root, page), 'utf8').matchAll(/`((?:[\w.-]+\/)*[\w-]+\.[jt]s)`/g)
    return [...names]
      .filter(([, name]) => !files.some((path) => path.endsWith(`/${name}`)))
      .map(([name]) => `${page}: ${name}`)
  })

  assert.ok(files.includes('/src/http/app.ts'))
  assert.deepEqual(missing, [])
})
