import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { temporaryFolder } from '../support/engines.ts'
import { oldNode, skipWithoutOldNode } from '../support/old-node.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const skip = skipWithoutOldNode

function runNode(path: string, args: string[]) {
  return spawnSync(path, args, { encoding: 'utf8', env: { PATH: '' } })
}

test('bin/petstore.js says what to do on a system without glibc, such as Alpine', { skip }, (t) => {
  const folder = temporaryFolder(t)
  cpSync(join(root, 'bin'), join(folder, 'bin'), { recursive: true })
  cpSync(join(root, 'package.json'), join(folder, 'package.json'))
  const brought = join(folder, 'node_modules', `node-${process.platform}-${process.arch}`)
  mkdirSync(join(brought, 'bin'), { recursive: true })
  writeFileSync(join(brought, 'package.json'), '{}')
  // The system refuses it as it refuses a program whose loader is missing.
  writeFileSync(join(brought, 'bin', 'node'), '#!/nowhere/ld-linux.so\n', { mode: 0o755 })

  const { status, stderr } = runNode(oldNode as string, [join(folder, 'bin', 'petstore.js'), '--version'])

  assert.equal(status, 1)
  assert.match(stderr, /^petstore: .* cannot be run \(ENOENT\): this system has no glibc, install Node 26 for it\.\n$/)
})

for (const file of ['bin/petstore.js', 'src/cli/start.js']) {
  test(`${file} runs with the Node that the package brings, if an older one starts it`, { skip }, () => {
    const { status, stdout, stderr } = runNode(oldNode as string, [join(root, file), '--version'])

    assert.deepEqual({ status, stdout, stderr }, { status: 0, stdout: '1.0.0\n', stderr: '' })
  })

  test(`${file} says in one sentence that there is no Node to run with`, { skip }, (t) => {
    const folder = temporaryFolder(t)
    for (const part of ['bin', 'src', 'package.json']) cpSync(join(root, part), join(folder, part), { recursive: true })
    mkdirSync(join(folder, 'node_modules'))

    const { status, stdout, stderr } = runNode(oldNode as string, [join(folder, file), '--version'])

    assert.deepEqual({ status, stdout }, { status: 1, stdout: '' })
    assert.match(stderr, /^petstore: this machine has neither Node 26 nor .* \("npm ci" in a checkout\)\.\n$/)
  })
}

test('an install with an older Node does not fail for want of compiled modules', { skip }, () => {
  const { status, stderr } = runNode(oldNode as string, [join(root, 'src/cli/compile.js')])

  assert.deepEqual({ status, stderr }, { status: 0, stderr: '' })
})
