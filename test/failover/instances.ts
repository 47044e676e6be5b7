import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { type Service, startService } from '../support/service.ts'
import { apiKey } from '../ledger/client.ts'
import { type Cluster, until } from './cluster.ts'

/**
 * Starts an instance of the service on each of the ports that the proxy knows, and waits until it passes requests on.
 */
export async function startInstances(t: TestContext, cluster: Cluster): Promise<Service[]> {
  const instances: Service[] = []
  // One after the other, so that the second finds the schema.
  for (const port of cluster.servicePorts) instances.push(await startInstance(t, cluster, port))
  const isReady = async () => (await fetch(`${cluster.origin}/readyz`)).ok
  await until(isReady, 10_000, () => 'The proxy finds no instance of the service.')
  return instances
}

export function startInstance(t: TestContext, cluster: Cluster, port: number): Promise<Service> {
  const cwd = join(cluster.folder, `instance-${port}`)
  mkdirSync(cwd, { recursive: true })
  return startService(t, {
    cwd,
    env: {
      PETSTORE_DATABASE_URL: cluster.databaseUrl,
      PETSTORE_PORT: String(port),
      PETSTORE_API_KEY: apiKey,
      PETSTORE_LOG_LEVEL: 'error',
      // Four times what the proxy takes to notice.
      PETSTORE_DRAIN_SECONDS: '2',
    },
  })
}
