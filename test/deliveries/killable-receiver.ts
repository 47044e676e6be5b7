import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { temporaryFolder } from '../support/engines.ts'
import { freePort } from '../support/ports.ts'

export interface KillableReceiver {
  url: string
  /** Starts it with the secret of its webhook. */
  start(secret: string): Promise<void>
  kill(): Promise<void>
  /** What was received so far, in order: ids of events, NaN for an invalid signature. */
  ids(): number[]
}

const program = fileURLToPath(new URL('./receiver-process.ts', import.meta.url))

/** A receiver that is a process of its own. What it has received outlives it. */
export async function killableReceiver(t: TestContext): Promise<KillableReceiver> {
  const port = await freePort()
  const file = join(temporaryFolder(t), 'received')
  let child: ChildProcess | undefined
  t.after(() => child?.kill('SIGKILL'))
  return {
    url: `http://127.0.0.1:${port}/hook`,
    async start(secret) {
      child = spawn(process.execPath, [program, String(port), file, secret], { stdio: ['ignore', 'pipe', 'inherit'] })
      await once(child.stdout as NodeJS.ReadableStream, 'data')
    },
    async kill() {
      const killed = child
      if (killed === undefined) return
      killed.kill('SIGKILL')
      await once(killed, 'close')
    },
    ids: () => (existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').map(Number) : []),
  }
}
