import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { startSandbox } from '../support/sandbox.ts'
import { startService } from '../support/service.ts'

const root = join(import.meta.dirname, '../..')

test('the first five minutes show what the first start prints', async (t) => {
  const page = readFileSync(join(root, 'docs/first-five-minutes.md'), 'utf8')
  const shown = /```console\n\$ npm start\n(.*?)```/s.exec(page)?.[1] ?? ''

  const { output } = await startService(t)

  assert.equal(normalised(shown), normalised(output.stdout))
})

/** Without what differs from start to start. */
function normalised(text: string): string {
  return text
    .replace(/:\d{4,5}\//g, ':PORT/')
    .replace(/sign-in=\S+/g, 'sign-in=CODE')
    .replace(/pet_live_\w+/g, 'KEY')
    .trim()
}

const skip = spawnSync('curl', ['--version']).status === 0 ? false : 'NOT TESTED: there is no curl'

test('the sandbox in the README prints what the README shows', { skip }, async (t) => {
  const readme = readFileSync(join(root, 'README.md'), 'utf8')
  const shown = /```console\n\$ npm run petstore -- sandbox --port 8081 &\n(.*?)```/s.exec(readme)?.[1] ?? ''
  const { origin } = await startSandbox(t, { seed: 'demo' })
  const lines = shown.replaceAll('http://127.0.0.1:8081', origin).split('\n')
  const program = lines.filter((line) => line.startsWith('$ ')).map((line) => line.slice(2))

  // The last command decides whether the program fails: curl does, on purpose, before it.
  const { stdout } = await promisify(execFile)('bash', ['-c', `exec 2>&1\n${program.join('\n')}`])

  assert.equal(program.length, 5)
  assert.equal(withoutLine(stdout), withoutLine(lines.filter((line) => !line.startsWith('$ ')).join('\n')))
})

/** A response need not end with a line. */
function withoutLine(text: string): string {
  return text.replaceAll('\n', '')
}
