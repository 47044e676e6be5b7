import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { temporaryFolder } from '../support/engines.ts'
import { pack } from '../support/packed-server.ts'
import { bareKey, BareShop, serveBare } from '../verify/bare-shop.ts'

const runFile = promisify(execFile)

/** Runs a program of an empty folder with the Node of this machine, which may be 20. */
async function runIn(cwd: string, command: string, args: readonly string[]) {
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: cwd,
    npm_config_offline: 'true',
    npm_config_update_notifier: 'false',
  }
  return runFile(command, args, { cwd, env }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({ code, stdout, stderr }),
  )
}

test('the packed verify', async (t) => {
  const file = await pack(t, 'verify')
  const folder = temporaryFolder(t)
  const npx = (...args: string[]) => runIn(folder, 'npx', ['--yes', `--package=${file}`, 'petstore-verify', ...args])

  await t.test('has only JavaScript, and needs no other package', async () => {
    const place = temporaryFolder(t)
    await runIn(place, 'npm', ['install', '--ignore-scripts', file])
    const installed = join(place, 'node_modules/@petstore/verify')

    assert.deepEqual(readdirSync(join(place, 'node_modules/@petstore')), ['verify'])
    assert.deepEqual(readdirSync(installed).toSorted(), ['LICENSE', 'README.md', 'dist', 'package.json'])
    const files = readdirSync(join(installed, 'dist'), { recursive: true, withFileTypes: true })
    assert.deepEqual(
      files.filter((entry) => entry.isFile() && !entry.name.endsWith('.js')).map(({ name }) => name),
      [],
    )
  })

  await t.test('judges a right shop in an empty folder, and ends with 0', async (t) => {
    const shop = new BareShop()
    const url = await serveBare(t, (request) => shop.handle(request))

    const { code, stdout, stderr } = await npx('--url', url.href, '--key', bareKey, '--rate', '100000')

    assert.deepEqual([code, stderr], [0, ''])
    assert.match(stdout, /\d+ judged, 0 failed, 0 not judged/)
  })

  await t.test('ends with 1 for a wrong shop, and leaves nothing in the folder', async (t) => {
    const shop = new BareShop()
    const url = await serveBare(t, (request) => ({ ...shop.handle(request), type: 'text/plain' }))

    const { code, stdout } = await npx('--url', url.href, '--key', bareKey, '--bail')

    assert.equal(code, 1)
    assert.match(stdout, /C-4-1/)
    assert.deepEqual(
      readdirSync(folder).filter((name) => !name.startsWith('.')),
      [],
    )
  })

  await t.test('ends with 2 for wrong arguments, with one sentence', async () => {
    const [missing, unknown] = [await npx('--url', 'http://127.0.0.1:1/v1'), await npx('--levels', 'full')]

    assert.deepEqual([missing.code, unknown.code], [2, 2])
    assert.match(missing.stderr, /^petstore-verify: --key <key> is required\.\n/)
    assert.match(unknown.stderr, /^petstore-verify: Unknown option '--levels'/)
    assert.match((await npx('--help')).stdout, /--require-all +end with 1 if a rule could not be judged/)
  })
})
