import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { TestContext } from 'node:test'
import { apiKey } from '../ledger/client.ts'
import { type Service, startService } from '../support/service.ts'
import { freePort } from '../support/ports.ts'
import { temporaryFolder } from '../support/engines.ts'
import { until } from '../support/until.ts'

/** A service that is started again on the same address after it was killed. */
export interface FaultyShop {
  readonly origin: string
  readonly databaseUrl: string
  /** Of the first process. */
  readonly pid: number
  /** Of the workers. */
  workers(): number[]
  start(): Promise<void>
  /** Kills the first process; with workers, those end by themselves. */
  kill(): Promise<void>
  /** Resolves when readiness is as given. */
  isReady(ready: boolean): Promise<void>
}

export async function openShop(
  t: TestContext,
  { env, args = [] }: { env: { PETSTORE_DATABASE_URL: string } & Record<string, string>; args?: string[] },
): Promise<FaultyShop> {
  const cwd = temporaryFolder(t)
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const settings = { PETSTORE_PORT: String(port), PETSTORE_API_KEY: apiKey, PETSTORE_LOG_LEVEL: 'silent', ...env }
  let service: Service

  const shop: FaultyShop = {
    origin,
    databaseUrl: env.PETSTORE_DATABASE_URL,
    get pid() {
      return service.child.pid as number
    },
    workers: () => childrenOf(shop.pid),
    async start() {
      service = await startService(t, { cwd, args, env: settings })
    },
    async kill() {
      const workers = shop.workers()
      service.child.kill('SIGKILL')
      await once(service.child, 'close')
      await until(() => !workers.some(isRunning))
    },
    isReady: (ready) =>
      until(async () => {
        const response = await fetch(`${origin}/readyz`).catch(() => undefined)
        return response !== undefined && response.ok === ready
      }, 60_000),
  }
  await shop.start()
  return shop
}

export function childrenOf(pid: number): number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()
  return text === '' ? [] : text.split(' ').map(Number)
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
