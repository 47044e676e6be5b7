import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findNode, noNode, nodeFlags } from '../../bin/find-node.js'

const start = fileURLToPath(new URL('../../src/cli/start.js', import.meta.url))
// Not the address of SANDBOX_HOST, which opens a container to others.
const sandboxArgs = ['sandbox', '--host', '127.0.0.1', '--port', '0', '--json']
const stopTimeoutMs = 5_000
/** Enough to see why a start failed. */
const maxOutputCharacters = 16_384

export interface SandboxProcess {
  url: string
  /** Resolves when the process has ended, however it ended. */
  ended: Promise<void>
  /** Resolves when the process has ended. */
  stop(): Promise<void>
}

/** Starts a sandbox on a free port. It ends with this process, however that ends. */
export async function startSandboxProcess(seed: string | Uint8Array, timeoutMs: number): Promise<SandboxProcess> {
  const node = findNode()
  if (node === undefined) throw new Error(`The pet store did not start: ${noNode}`)
  const folder = typeof seed === 'string' ? undefined : mkdtempSync(join(tmpdir(), 'petstore-seed-'))
  const file = folder === undefined ? (seed as string) : join(folder, 'seed.ndjson')
  try {
    if (folder !== undefined) writeFileSync(file, seed)
    const child = spawn(node, [...nodeFlags, start, ...sandboxArgs, '--seed', file], {
      // The channel closes when this process ends, and the sandbox with it.
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      env: ownEnvironment(),
    })
    const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
    return { url: await addressOf(child, timeoutMs), ended, stop: () => stop(child) }
  } finally {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
  }
}

/** Options for the Node of a test runner are not for another Node. */
function ownEnvironment(): NodeJS.ProcessEnv {
  const { NODE_OPTIONS: _options, NODE_V8_COVERAGE: _coverage, npm_lifecycle_event: _event, ...env } = process.env
  return env
}

/** Resolves when the sandbox has printed its line. */
async function addressOf(child: ChildProcess, timeoutMs: number): Promise<string> {
  let line = ''
  let output = ''
  const add = (text: string) => (output = (output + text).slice(-maxOutputCharacters))
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    line += text
    add(text)
  })
  child.stderr?.setEncoding('utf8').on('data', add)
  const failure = await new Promise<string | undefined>((resolve) => {
    const timer = setTimeout(() => resolve(`it was not ready within ${timeoutMs} ms`), timeoutMs)
    const end = (reason?: string) => {
      clearTimeout(timer)
      resolve(reason)
    }
    child.once('error', (error) => end(error.message))
    // After its output was read.
    child.once('close', (code, signal) => end(`it ended with ${signal ?? `code ${code}`}`))
    child.stdout?.on('data', () => line.includes('\n') && end())
  })
  if (failure !== undefined) {
    child.kill('SIGKILL')
    throw new Error(`The pet store did not start: ${failure}.${output === '' ? '' : `\n${output.trimEnd()}`}`)
  }
  // From now on it says something only if it has a fault of its own.
  child.stderr?.off('data', add).on('data', (text: string) => process.stderr.write(text))
  // A test that forgets to stop it can end all the same.
  for (const handle of [child, child.channel, child.stdout, child.stderr])
    (handle as { unref?(): void } | null)?.unref?.()
  return (JSON.parse(line) as { url: string }).url
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.ref()
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), stopTimeoutMs)
  await exited
  clearTimeout(timer)
}
