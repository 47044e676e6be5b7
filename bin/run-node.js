import { spawn } from 'node:child_process'
import { whyBroken } from './broken-node.js'

// The channel tells the service that this process has ended, however it ended.
const stdio = ['inherit', 'inherit', 'inherit', 'ipc']
const parentCheckIntervalMs = 500
/** The exit code of a program that the system cannot load. */
const notLoaded = 127

/** Runs Node as a child; this process ends as it does. */
export function runNode(node, args) {
  const child = spawn(node, args, { stdio })
  // Forwards signals sent to this process alone. A key press reaches both processes; the service treats the two signals
  // as one.
  for (const signal of ['SIGTERM', 'SIGHUP', 'SIGINT']) process.on(signal, () => child.kill(signal))
  // npm and npx may be killed, and cannot say so.
  if (process.env.npm_lifecycle_event !== undefined) {
    const parent = process.ppid
    const checking = setInterval(() => {
      if (process.ppid === parent) return
      clearInterval(checking)
      child.kill('SIGTERM')
    }, parentCheckIntervalMs).unref()
  }
  child.on('error', (error) => refuse(whyBroken(node) ?? `the Node that the package brings failed: ${error.message}.`))
  child.on('exit', (code, signal) => {
    const reason = code === notLoaded ? whyBroken(node) : undefined
    if (reason !== undefined) refuse(reason)
    if (signal === null) process.exit(code)
    // Ends by the same signal, without the handlers above.
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  })
}

export function refuse(sentence) {
  process.stderr.write(`petstore: ${sentence}\n`)
  process.exit(1)
}
