import assert from 'node:assert/strict'
import { globSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, dirname, join, relative } from 'node:path'
import { test } from 'node:test'
import rootManifest from '../../package.json' with { type: 'json' }
import { temporaryFolder } from '../support/engines.ts'
import { compile } from '../support/installed-client.ts'
import { oldNode, skipWithoutOldNode } from '../support/old-node.ts'
import { pack, skipWithoutRegistry, startProgram, unpackServer } from '../support/packed-server.ts'
import { startService } from '../support/service.ts'
import { until } from '../support/until.ts'

const sandboxArgs = ['sandbox', '--port', '0', '--json']
const nodes = [
  { name: 'Node 26', node: process.execPath, skip: false },
  { name: 'an older Node', node: oldNode ?? '', skip: skipWithoutOldNode },
] as const

const useOfTesting = `
import { startPetStore } from '@petstore/server/testing'
// types: declare const console: { log(text: string): void }

const shop = await startPetStore({ seed: [{ id: 7, name: 'Rex', categoryId: 1 }] })
console.log('ready')
const rex = await shop.client.pets.find(7)
console.log(\`\${rex?.id} \${rex?.name}\`)
await shop.faults([{ operation: 'createPet', fault: 'committed-then-cut', times: 1 }])
await shop.client.pets.create({ name: 'Max', categoryId: 1 })
const tries = await shop.journal({ operation: 'createPet' })
console.log(\`\${tries.length} tries, \${await shop.client.pets.count()} animals\`)
await shop.stop()
console.log('stopped')
`

async function statusOf(address: string, key?: string): Promise<number> {
  const response = await fetch(address, key === undefined ? {} : { headers: { authorization: `Bearer ${key}` } })
  await response.arrayBuffer()
  return response.status
}

test('the packed server', async (t) => {
  const file = await pack(t, 'server')
  const project = unpackServer(t, file)
  const installed = join(project, 'node_modules/@petstore/server')
  const petstore = join(installed, 'dist/bin/petstore.js')

  await t.test('it has only the needed files, no TypeScript but declarations, and no source maps', () => {
    const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as typeof rootManifest
    const { esbuild: _esbuild, marked: _marked, preact: _preact, ...needed } = rootManifest.dependencies

    assert.deepEqual(readdirSync(installed).toSorted(), ['LICENSE', 'README.md', 'dist', 'package.json'])
    assert.deepEqual(readdirSync(join(installed, 'dist')).toSorted(), [
      'bin',
      'client',
      'console',
      'docs',
      'package.json',
      'server',
      'src',
      'verify',
    ])
    const files = globSync('dist/**/*', { cwd: installed })
    assert.deepEqual(
      files.filter((name) => /(?<!\.d)\.tsx?$|\.map$/.test(name)),
      [],
    )
    assert.equal(manifest.name, '@petstore/server')
    assert.equal(manifest.version, rootManifest.version)
    assert.deepEqual(manifest.dependencies, needed)
    assert.deepEqual(manifest.optionalDependencies, rootManifest.optionalDependencies)
    assert.deepEqual(manifest.peerDependencies, rootManifest.peerDependencies)
    assert.equal(manifest.devDependencies, undefined)
  })

  await t.test('the file is smaller than the document says', () => {
    const page = readFileSync(new URL('../../docs/testing-against-it.md', import.meta.url), 'utf8')
    const limit = Number(/The file has less than (\d+\.\d) MB\./.exec(page)?.[1])

    const actual = statSync(file).size / 1_000_000
    assert.ok(actual < limit, `${actual} MB, the page says less than ${limit} MB`)
  })

  await t.test('a line of a stack trace is that of the source', () => {
    const source = readFileSync(new URL('../../src/cli/sandbox.ts', import.meta.url), 'utf8').split('\n')
    const built = readFileSync(join(installed, 'dist/src/cli/sandbox.js'), 'utf8').split('\n')

    const line = source.findIndex((text) => text.includes('process.stdout.write('))
    assert.equal(built.length, source.length)
    assert.equal(built[line], source[line])
  })

  for (const { name, node, skip } of nodes) {
    await t.test(`it runs the sandbox in an empty folder under ${name}`, { skip }, async (t) => {
      const cwd = temporaryFolder(t)
      const { line, output, kill, closed } = await startProgram(t, node, [petstore, ...sandboxArgs], { cwd })
      const { url, key, console: page } = JSON.parse(line) as Record<string, string>
      const origin = new URL(`${url}`).origin

      assert.equal(await statusOf(`${url}/pets`, key), 200, output())
      for (const path of ['/docs', '/docs/reference.js', '/docs/guides', '/docs/bugs'])
        assert.equal(await statusOf(origin + path), 200, path)
      assert.equal(await statusOf(`${page}`), 200)
      kill('SIGTERM')
      assert.deepEqual(await closed, [0, null], output())
      assert.deepEqual(readdirSync(cwd), [])
    })
  }

  for (const { name, node, skip } of nodes) {
    await t.test(`its entry for tests starts a pet store under ${name}`, { skip }, async (t) => {
      writeFileSync(join(project, 'use.mjs'), useOfTesting)

      const { output, closed } = await startProgram(t, node, ['use.mjs'], { cwd: project })

      assert.deepEqual(await closed, [0, null], output())
      assert.equal(output(), 'ready\n7 Rex\n2 tries, 2 animals\nstopped\n')
    })
  }

  await t.test('the types of its entry for tests are right', () => {
    writeFileSync(join(project, 'use.mts'), useOfTesting.replaceAll('// types: ', ''))

    return compile(project, { include: ['use.mts'], compilerOptions: { noEmit: true } })
  })

  await t.test('it serves, with the threads of the storage', async (t) => {
    const { origin, key, stop } = await startService(t, { program: petstore })
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ name: 'Rex', categoryId: 1 })
    const created = await fetch(`${origin}/v1/pets`, { method: 'POST', headers, body })
    const found = await fetch(`${origin}/v1/pets?name=rex`, { headers })

    assert.equal(created.status, 201)
    assert.deepEqual(await found.json(), [{ id: 1, name: 'Rex', categoryId: 1 }])
    assert.equal(await stop(), 0)
  })

  await t.test('a Node that is new enough runs it, not the one that the package brings', async (t) => {
    const project = unpackServer(t, file, { runtime: false })
    const brought = join(project, 'node_modules', `node-${process.platform}-${process.arch}`)
    mkdirSync(join(brought, 'bin'), { recursive: true })
    writeFileSync(join(brought, 'package.json'), '{}')
    writeFileSync(join(brought, 'bin/node'), '#!/bin/sh\nexit 9\n', { mode: 0o755 })
    const program = join(project, 'node_modules/@petstore/server/dist/bin/petstore.js')

    const { line, closed } = await startProgram(t, process.execPath, [program, '--version'])

    assert.deepEqual([line, await closed], [rootManifest.version, [0, null]])
  })

  await t.test('without either Node, one sentence says so', { skip: skipWithoutOldNode }, async (t) => {
    const project = unpackServer(t, file, { runtime: false })
    const program = join(project, 'node_modules/@petstore/server/dist/bin/petstore.js')

    const { output, closed } = await startProgram(t, oldNode as string, [program, 'sandbox'])

    assert.deepEqual(await closed, [1, null])
    assert.match(output(), /^petstore: this machine has neither Node 26 nor [^\n]*\.\n$/)
  })

  for (const { name, node, skip } of nodes) {
    const isSkipped = skip === false ? skipWithoutRegistry : skip
    await t.test(`one npx line runs it in an empty folder under ${name}`, { skip: isSkipped }, async (t) => {
      // Downloads are those of this machine; what npx installs goes with the test.
      const cache = temporaryFolder(t)
      const ownCache = process.env['npm_config_cache'] ?? join(homedir(), '.npm')
      mkdirSync(join(ownCache, '_cacache'), { recursive: true })
      symlinkSync(join(ownCache, '_cacache'), join(cache, '_cacache'))
      const path = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => !folder.includes('node_modules'))
      const env = {
        PATH: [dirname(node), ...path].join(delimiter),
        // npm's own settings, such as a registry, and whom this machine trusts.
        HOME: homedir(),
        NODE_EXTRA_CA_CERTS: process.env['NODE_EXTRA_CA_CERTS'] ?? '',
        npm_config_cache: cache,
        npm_config_prefer_offline: 'true',
        npm_config_loglevel: 'error',
      }

      const cwd = temporaryFolder(t)
      // A relative path: npx would run an absolute one as a program.
      const args = ['--yes', relative(cwd, file), ...sandboxArgs]
      const started = await startProgram(t, 'npx', args, { env, cwd, timeoutMs: 90_000 })
      if (started.line === '' && (await started.closed)[1] === 'SIGKILL') {
        return t.skip('NOT TESTED: npm did not get the packages within 90 seconds')
      }
      assert.notEqual(started.line, '', started.output())
      const { url, key, pid } = JSON.parse(started.line) as Record<string, string>
      assert.equal(await statusOf(`${url}/pets`, key), 200)

      // Nothing stays behind, though the shell of npx forwards no signal.
      started.kill('SIGTERM')
      await until(() => !isRunning(Number(pid)))
    })
  }
})

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
