import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { cpSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { howToInstall, startChromium } from '../support/chromium.ts'
import { temporaryFolder } from '../support/engines.ts'
import { pack, skipWithoutRegistry, unpackServer } from '../support/packed-server.ts'

const examples = fileURLToPath(new URL('../../examples/', import.meta.url))
const has = (command: string, ...args: string[]) => spawnSync(command, args).status === 0
const skipWithout = (isThere: boolean, name: string) => (isThere ? false : `NOT TESTED: ${name} is not installed`)

test('the examples run with the packed server', async (t) => {
  const project = unpackServer(t, await pack(t, 'server'))
  cpSync(examples, join(project, 'examples'), { recursive: true })
  const petstore = `${process.execPath} ${join(project, 'node_modules/@petstore/server/dist/bin/petstore.js')}`

  async function run(command: string, ...args: string[]): Promise<string> {
    const { NODE_TEST_CONTEXT: _context, ...env } = process.env
    const options = { cwd: project, env: { ...env, PETSTORE: petstore }, timeout: 120_000 }
    return new Promise((resolve, reject) => {
      execFile(command, args, options, (error, stdout, stderr) => {
        if (error === null) resolve(stdout)
        else reject(new Error(stdout + stderr, { cause: error }))
      })
    })
  }

  await t.test('node:test', async () => {
    assert.match(await run(process.execPath, '--test', 'examples/node-test/shop.test.mjs'), /pass 2\b/)
  })

  /** Installs a tool that the repository does not have. Undefined if npm cannot get it, with all parts for this machine. */
  function install(tool: string, part: string): string | undefined {
    const folder = temporaryFolder(t)
    writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }')
    const args = ['install', '--no-audit', '--no-fund', '--prefer-offline', tool]
    if (spawnSync('npm', args, { cwd: folder, timeout: 90_000 }).status !== 0) return undefined
    const load = ['--input-type=module', '--eval', `import '${part}'`]
    if (spawnSync(process.execPath, load, { cwd: folder, timeout: 60_000 }).status !== 0) return undefined
    symlinkSync(join(project, 'node_modules/@petstore'), join(folder, 'node_modules/@petstore'))
    cpSync(examples, join(folder, 'examples'), { recursive: true })
    return folder
  }

  await t.test('Vitest', { skip: skipWithoutRegistry }, async (test) => {
    const folder = install('vitest@3.2.4', 'vite')
    if (folder === undefined) return test.skip('NOT TESTED: npm cannot get Vitest here')
    const vitest = join(folder, 'node_modules/vitest/vitest.mjs')
    assert.match(await run(process.execPath, vitest, 'run', '--root', folder, 'examples/vitest'), /1 passed/)
  })

  await t.test('Playwright', { skip: skipWithoutRegistry }, async (test) => {
    const browser = await startChromium('server')
    if (browser === undefined) return test.skip(`NOT TESTED: ${howToInstall}`)
    test.after(() => browser.close())
    const folder = install('@playwright/test@1.65.0', '@playwright/test')
    if (folder === undefined) return test.skip('NOT TESTED: npm cannot get Playwright here')
    const use = { connectOptions: { wsEndpoint: browser.wsEndpoint() } }
    const config = join(folder, 'playwright.config.mjs')
    writeFileSync(config, `export default ${JSON.stringify({ testDir: 'examples/playwright', use, timeout: 60_000 })}`)
    const playwright = join(folder, 'node_modules/@playwright/test/cli.js')
    assert.match(await run(process.execPath, playwright, 'test', '--config', config, '--reporter', 'line'), /1 passed/)
  })

  await t.test('shell', { skip: skipWithout(has('curl', '--version'), 'curl') }, async () => {
    assert.equal(await run('sh', 'examples/shell/shop.sh'), 'ok: Rex is in the shop\n')
  })

  const hasPytest = has('python3', '-c', 'import pytest')
  await t.test('pytest', { skip: skipWithout(hasPytest, 'pytest') }, async () => {
    assert.match(await run('python3', '-m', 'pytest', '-q', '-p', 'no:cacheprovider', 'examples/pytest'), /3 passed/)
  })
})
