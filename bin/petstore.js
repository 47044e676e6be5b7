#!/usr/bin/env node
// Runs the command line with a Node that is new enough, whichever Node is installed.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { findNode, noNode, nodeFlags } from './find-node.js'

const start = fileURLToPath(new URL('../src/cli/start.js', import.meta.url))
// The channel tells the service that this process has ended, however it ended.
const stdio = ['inherit', 'inherit', 'inherit', 'ipc']
const parentCheckIntervalMs = 500

const node = findNode()
if (node === undefined) refuse(noNode)
const child = spawn(node, [...nodeFlags, start, ...process.argv.slice(2)], { stdio })
// Forwards signals sent to this process alone. A key press reaches both processes; the service treats the two signals
// as one.
for (const signal of ['SIGTERM', 'SIGHUP', 'SIGINT']) process.on(signal, () => child.kill(signal))
// npx may be killed, and cannot say so.
if (process.env.npm_lifecycle_event !== undefined) {
  const parent = process.ppid
  const checking = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(checking)
    child.kill('SIGTERM')
  }, parentCheckIntervalMs).unref()
}
child.on('error', (error) => {
  const failed = `the Node that the package brings cannot be run (${error.code})`
  // The file is there, but not the loader that it names.
  const isForGlibc = error.code === 'ENOENT' && existsSync(node)
  refuse(`${failed}: ${isForGlibc ? 'this system has no glibc, install Node 26 for it' : 'install the package again'}.`)
})
child.on('exit', (code, signal) => {
  if (signal === null) process.exit(code)
  // Ends by the same signal, without the handlers above.
  process.removeAllListeners(signal)
  process.kill(process.pid, signal)
})

function refuse(sentence) {
  process.stderr.write(`petstore: ${sentence}\n`)
  process.exit(1)
}
