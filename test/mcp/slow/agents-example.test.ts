import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { temporaryFolder } from '../../support/engines.ts'
import { startSandbox } from '../../support/sandbox.ts'

const root = join(import.meta.dirname, '../../..')
const page = readFileSync(join(root, 'docs/agents.md'), 'utf8')

test('the test of an agent in docs/agents.md passes, and fails for an agent that does not repeat its calls', async (t) => {
  const { origin } = await startSandbox(t)
  const folder = temporaryFolder(t)
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  const [, example = ''] = /```js\n(.*?)```/s.exec(page) ?? []
  const { NODE_TEST_CONTEXT: _context, ...env } = process.env
  const run = (code: string) => {
    writeFileSync(join(folder, 'agent.test.mjs'), code)
    const options = { cwd: folder, env: { ...env, PETSTORE_URL: `${origin}/v1` } }
    return promisify(execFile)(process.execPath, ['--test', '--test-reporter=tap'], options)
  }

  assert.match((await run(example)).stdout, /^# pass 1$/m)
  const careless = example.replace('tries === 3', 'tries === 1')
  assert.notEqual(careless, example)
  await assert.rejects(run(careless), ({ stdout }: { stdout: string }) => /^# fail 1$/m.test(stdout))
})
