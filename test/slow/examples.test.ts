import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { pack, unpackServer } from '../support/packed-server.ts'

const examples = fileURLToPath(new URL('../../examples/', import.meta.url))
const has = (command: string, ...args: string[]) => spawnSync(command, args).status === 0
const skipWithout = (isThere: boolean, name: string) => (isThere ? false : `NOT TESTED: ${name} is not installed`)

test('the examples run with the packed server', async (t) => {
  const project = unpackServer(t, await pack(t, 'server'))
  cpSync(examples, join(project, 'examples'), { recursive: true })
  const petstore = `${process.execPath} ${join(project, 'node_modules/@petstore/server/dist/bin/petstore.js')}`

  function run(command: string, ...args: string[]) {
    const { NODE_TEST_CONTEXT: _context, ...env } = process.env
    const options = { cwd: project, env: { ...env, PETSTORE: petstore }, encoding: 'utf8', timeout: 60_000 } as const
    const { status, stdout, stderr } = spawnSync(command, args, options)
    assert.equal(status, 0, stdout + stderr)
    return stdout
  }

  await t.test('node:test', () => {
    assert.match(run(process.execPath, '--test', 'examples/node-test/shop.test.mjs'), /pass 2\b/)
  })

  await t.test('shell', { skip: skipWithout(has('curl', '--version'), 'curl') }, () => {
    assert.equal(run('sh', 'examples/shell/shop.sh'), 'ok: Rex is in the shop\n')
  })

  const hasPytest = has('python3', '-c', 'import pytest')
  await t.test('pytest', { skip: skipWithout(hasPytest, 'pytest') }, () => {
    assert.match(run('python3', '-m', 'pytest', '-q', '-p', 'no:cacheprovider', 'examples/pytest'), /3 passed/)
  })
})
