import type { TestContext } from 'node:test'
import { type Requests, requestsTo, startApp, type TestApp } from './app.ts'

export interface Target extends Requests, Pick<TestApp, 'failures'> {
  /** Makes a key that may write. */
  makeKey(): Promise<{ secret: string }>
  /** Ends it before the test ends. */
  close(): Promise<void>
}

/**
 * A service without animals. `PETSTORE_TEST_TARGET` names a shop of a sandbox instead, such as
 * http://127.0.0.1:8080/NAME; it keeps its bugs. With a `clock` the time in the shop stands still.
 */
export async function startTarget(t: TestContext, options: Parameters<typeof startApp>[1] = {}): Promise<Target> {
  const address = process.env['PETSTORE_TEST_TARGET']
  if (address === undefined) return startOwn(t, options)
  const { origin, pathname } = new URL(address)
  const requests = requestsTo(origin, `sandbox_${pathname.slice(1)}`)
  const bugs = await requests.send('/v1/sandbox/bugs')
  await requests.sendJson('POST /v1/sandbox/reset', { seed: 'empty' })
  if (options.clock !== undefined) {
    const now = new Date(options.clock()).toISOString()
    await requests.sendJson('PUT /v1/sandbox/clock', { now, frozen: true })
  }
  await requests.sendJson('PUT /v1/sandbox/bugs', bugs.text)
  return {
    ...requests,
    failures: [],
    async makeKey() {
      const { body } = await requests.sendJson('POST /v1/keys', { name: 'test', permission: 'write' })
      return { secret: (body as { key: string }).key }
    },
    close: async () => undefined,
  }
}

async function startOwn(t: TestContext, options: Parameters<typeof startApp>[1]): Promise<Target> {
  const started = await startApp(t, options)
  return {
    ...started,
    async close() {
      started.app.server.closeAllConnections()
      await started.app.close()
      await started.storage.close()
    },
  }
}
