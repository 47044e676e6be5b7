import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { startSandbox } from '../support/sandbox.ts'
import { startService } from '../support/service.ts'

const root = join(import.meta.dirname, '../..')

const skip = spawnSync('curl', ['--version']).status === 0 ? false : 'NOT TESTED: there is no curl'

test('the first five minutes show what the first start and the first requests print', { skip }, async (t) => {
  const page = readFileSync(join(root, 'docs/first-five-minutes.md'), 'utf8')
  const shown = /```console\n\$ npm start -- --demo\n(.*?)```/s.exec(page)?.[1] ?? ''

  const requests = /```console\n\$ KEY=pet_live_…\n(.*?)```/s.exec(page)?.[1] ?? ''

  const { origin, key, output } = await startService(t, { args: ['--demo'] })
  const { stdout } = await promisify(execFile)('bash', ['-c', programOf(requests, origin)], {
    env: { ...process.env, KEY: key },
  })

  assert.equal(normalised(shown), normalised(output.stdout))
  assert.match(stdout, /"id":11/)
  assert.equal(withoutLine(stdout), withoutLine(outputOf(requests)))
})

/** Without what differs from start to start. */
function normalised(text: string): string {
  return text
    .replace(/:\d{4,5}\//g, ':PORT/')
    .replace(/sign-in=\S+/g, 'sign-in=CODE')
    .replace(/pet_live_\w+/g, 'KEY')
    .trim()
}

test('the sandbox in the README prints what the README shows', { skip }, async (t) => {
  const readme = readFileSync(join(root, 'README.md'), 'utf8')
  const shown = /```console\n\$ npm run petstore -- sandbox --port 8081 &\n(.*?)```/s.exec(readme)?.[1] ?? ''
  const { origin } = await startSandbox(t, { seed: 'demo' })
  const program = programOf(shown, origin)

  // The last command decides whether the program fails: curl does, on purpose, before it.
  const { stdout } = await promisify(execFile)('bash', ['-c', `exec 2>&1\n${program}`])

  assert.equal(program.split('\n').length, 5)
  assert.equal(withoutLine(stdout), withoutLine(outputOf(shown)))
})

/** What is typed in a block of a page, for another address. */
function programOf(shown: string, origin: string): string {
  const typed = shown.split('\n').filter((line) => /^(\$| {4})/.test(line))
  return typed.map((line) => line.replace(/^\$ /, '').replace(/http:\/\/127\.0\.0\.1:\d+/g, origin)).join('\n')
}

/** What is printed in a block of a page. */
function outputOf(shown: string): string {
  return shown
    .split('\n')
    .filter((line) => !/^(\$| {4})/.test(line))
    .join('\n')
}

/** A response need not end with a line. */
function withoutLine(text: string): string {
  return text.replaceAll('\n', '')
}
