import type { TestContext } from 'node:test'
import { PetStore, type PetStoreOptions } from '../../client/src/index.ts'
import { startApp, type TestApp } from './app.ts'
import { type FaultyProxy, faultyProxy } from './faulty-proxy.ts'

export interface TestClient {
  petstore: PetStore
  proxy: FaultyProxy
  service: TestApp
  /** The warnings of the client. */
  warnings: string[]
}

/** A client and the service with a faulty proxy in between. Retry delays are short. */
export async function startClient(
  t: TestContext,
  options: Partial<PetStoreOptions> = {},
  appOptions: Parameters<typeof startApp>[1] = {},
): Promise<TestClient> {
  const service = await startApp(t, appOptions)
  const proxy = await faultyProxy(t, service.origin)
  const warnings: string[] = []
  const petstore = new PetStore({
    baseUrl: `${proxy.origin}/v1`,
    apiKey: service.key,
    onWarning: ({ message }) => warnings.push(message),
    ...options,
    retry: { baseDelayMs: 2, maxDelayMs: 20, ...options.retry },
  })
  return { petstore, proxy, service, warnings }
}

/** The members that the service has sent. */
export function sentMembers(resource: { etag?: string; position?: string } | undefined): object | undefined {
  if (resource === undefined) return undefined
  const { etag: _etag, position: _position, ...members } = resource
  return members
}
