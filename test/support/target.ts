import type { TestContext } from 'node:test'
import { type Requests, requestsTo, startApp, type TestApp } from './app.ts'

export type Target = Requests & Pick<TestApp, 'failures'>

/**
 * A service without animals. `PETSTORE_TEST_TARGET` names a shop of a sandbox instead, such as
 * http://127.0.0.1:8080/NAME; it keeps its bugs.
 */
export async function startTarget(t: TestContext, options: Parameters<typeof startApp>[1] = {}): Promise<Target> {
  const address = process.env['PETSTORE_TEST_TARGET']
  if (address === undefined) return startApp(t, options)
  const { origin, pathname } = new URL(address)
  const requests = requestsTo(origin, `sandbox_${pathname.slice(1)}`)
  const bugs = await requests.send('/v1/sandbox/bugs')
  await requests.sendJson('POST /v1/sandbox/reset', { seed: 'empty' })
  await requests.sendJson('PUT /v1/sandbox/bugs', bugs.text)
  return { ...requests, failures: [] }
}
