import type { TestContext } from 'node:test'
import { PetStore, type PetStoreOptions } from '../../client/src/index.ts'
import { startApp, type TestApp } from './app.ts'
import { type FaultyProxy, faultyProxy } from './faulty-proxy.ts'

export interface TestClient {
  petstore: PetStore
  proxy: FaultyProxy
  service: TestApp
  /** What the client warned of. */
  warnings: string[]
}

/** A client, the service, and between them a proxy that can do harm. Pauses before retries are short. */
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
