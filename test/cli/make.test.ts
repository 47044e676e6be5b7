import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

for (const names of [['openapi', 'corups'], ['toString'], ['openapi', '--help'], ['corups', '--', 'openapi']]) {
  test(`make ${names.join(' ')} is refused in one sentence, and writes nothing`, () => {
    const before = documents()

    const { status, stderr } = make(names)

    assert.equal(status, 2)
    assert.match(stderr, /^There is no (corups|toString|--help) to be made\. There are [^\n]*openapi[^\n]*\.\n$/)
    assert.deepEqual(documents(), before)
  })
}

test('make without a name lists what a program makes', () => {
  const { status, stderr } = make([])

  assert.equal(status, 2)
  assert.match(stderr, /^Name what to make: bugs-matrix, .*openapi/)
})

test('make passes what follows -- to the program, and replaces no file when that fails', () => {
  const before = documents()

  const { status, stderr } = make(['openapi', '--', '--no-such-option'])

  assert.notEqual(status, 0)
  assert.match(stderr, /unknown option '--no-such-option'/)
  assert.deepEqual(documents(), before)
})

function make(given: readonly string[]) {
  return spawnSync(process.execPath, ['test/make.ts', ...given], { cwd: root, encoding: 'utf8' })
}

function documents(): string[] {
  return ['openapi.json', 'asyncapi.json'].map((name) => readFileSync(`${root}/${name}`, 'utf8'))
}
