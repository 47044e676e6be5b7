// Runs after an install. Makes bin/node, a link to the Node of the package: a name that is the same on every machine.
// Removes what nobody needs of that package. Then compiles with it. An install does not fail because that Node cannot run: the reason is told here, and by the first
// command that needs it.
import { spawnSync } from 'node:child_process'
import { rmSync, symlinkSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { whyBroken } from './broken-node.js'
import { findNode, noNode, nodeFlags, packagedNode } from './find-node.js'

const compile = fileURLToPath(new URL('../src/cli/compile.js', import.meta.url))

link(packagedNode())
removeHeaders(packagedNode())
const node = findNode()
const { status } =
  node === undefined ? { status: null } : spawnSync(node, [...nodeFlags, compile], { stdio: 'inherit' })
if (status !== 0) {
  const reason = node === undefined ? noNode : whyBroken(node)
  if (reason === undefined) process.exitCode = 1
  else process.stderr.write(`petstore: ${reason} Then run "npm ci" again.\n`)
}

function link(target) {
  // Links need rights on Windows, and nobody there needs this one.
  if (process.platform === 'win32') return
  const path = fileURLToPath(new URL('node', import.meta.url))
  rmSync(path, { force: true })
  if (target !== undefined) symlinkSync(relative(dirname(path), target), path)
}

/** A third of the Node from npm is for compiling other packages against it. None of ours is compiled. */
function removeHeaders(runtime) {
  if (runtime !== undefined) rmSync(join(dirname(runtime), '../include'), { recursive: true, force: true })
}
