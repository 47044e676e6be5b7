import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const isOurs = (path: string) => !['node_modules', 'dist', 'out'].includes(basename(path))
const find = (pattern: string) => globSync(pattern, { cwd: root, exclude: (path) => !isOurs(path) })

/** Through the launcher, or not by Node at all. */
const allowed = /^node (?:\.\.\/)*bin\/(?:run|prepare)\.js(?: |$)|^npm (?:run|ci) |^test\/everything\.sh$/

test('every script of every package.json starts through bin/run.js, so that any Node from 20 on will do', () => {
  const files = find('**/package.json')
  const commands = files.flatMap((file) => {
    const { scripts = {} } = JSON.parse(readFileSync(join(root, file), 'utf8')) as { scripts?: Record<string, string> }
    return Object.values(scripts).flatMap((script) => script.split(/&&|\|\|?|;/).map((part) => part.trim()))
  })

  assert.ok(files.includes('client/package.json') && commands.length > 30)
  assert.deepEqual(
    commands.filter((command) => !allowed.test(command)),
    [],
  )
})

test('no program of the repository starts the Node of the path: process.execPath is the one that was found', () => {
  const call = /(?<!new URL)\(\s*(?:t,\s*)?(['"`])node(?:\.exe)?\1|\bfile: 'node'|\.bin\/node\b/
  const files = find('{test,bench,server,client,src,bin,console}/**/*.{ts,tsx,js,mjs,sh}')

  const wrong = files.filter((file) => call.test(readFileSync(join(root, file), 'utf8')))

  assert.ok(files.length > 1000)
  assert.deepEqual(wrong, [])
})
