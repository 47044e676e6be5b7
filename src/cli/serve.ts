import closeWithGrace from 'close-with-grace'
import { keyHash, newKeyId, newKeySecret } from '../inventory/key-secret.ts'
import type { ApiKey } from '../inventory/keys.ts'
import type { Storage } from '../inventory/storage.ts'
import { buildApp } from '../http/app.ts'
import { openStorage } from '../storage/open.ts'
import { baseUrls, type Config, readConfig, readEnvironment } from './config.ts'
import { addDemoAnimals } from './demo.ts'
import { addressOf, explainListening } from './listening.ts'
import { openLog } from './log.ts'
import { openMetrics, serveMetrics } from './metrics.ts'
import { observer } from './observer.ts'
import { openTracing } from './tracing.ts'
import { version } from './version.ts'
import { welcome } from './welcome.ts'

export interface ServeOptions {
  demo?: boolean
}

/** How long requests in flight may take to finish once the service is told to stop. */
const graceful = 10_000

/** Runs the service until it is told to stop. */
export async function serve({ demo = false }: ServeOptions): Promise<void> {
  const environment = readEnvironment()
  const config = readConfig(environment)
  const [log, tracing, storage] = await Promise.all([
    openLog(config.logLevel),
    openTracing(environment),
    openStorage(config.databaseUrl),
  ])
  const metrics = openMetrics()
  const app = buildApp({
    storage,
    clock: Date.now,
    observer: observer(log, metrics),
    environment: config.environment,
    baseUrls: baseUrls(config),
    ownKey: ownKey(config.apiKey),
    corsOrigins: config.corsOrigins ?? [],
    rateLimit: config.rateLimit,
    trustProxy: config.trustProxy,
    metrics: config.metricsPort === undefined ? metrics.text : undefined,
    tracing: tracing?.plugin,
  })

  try {
    await app.listen({ host: config.host, port: config.port })
  } catch (error) {
    await storage.close()
    throw explainListening(error as NodeJS.ErrnoException, config.host, config.port, 'PETSTORE_PORT')
  }
  const metricsServer =
    config.metricsPort === undefined ? undefined : await serveMetrics(metrics, config.host, config.metricsPort)

  closeWithGrace({ delay: graceful, logger: false }, async ({ err }) => {
    if (err !== undefined) log.fatal({ error: err }, 'stopping after an error that nothing caught')
    // A connection that was busy when the server closed becomes idle when its answer is out.
    const sweep = setInterval(() => app.server.closeIdleConnections(), 20)
    await app.close()
    clearInterval(sweep)
    metricsServer?.close()
    await storage.close()
    await tracing?.close()
    log.flush()
  })

  // After listening: a key that is made and then not shown, because the port was taken, would be lost.
  const firstKey = await issueFirstKey(storage, config)
  process.stdout.write(
    welcome({
      version,
      environment: config.environment,
      database: config.databaseUrl,
      address: addressOf(app.server, config.host),
      firstKey,
      metricsUrl: metricsServer?.url,
      demoAnimals: demo ? await addDemoAnimals(storage.pets) : 0,
    }),
  )
}

/** A new shop gets one key, so that its first request can be made. Not if the operator brought one. */
async function issueFirstKey({ keys }: Storage, { apiKey, environment }: Config): Promise<string | undefined> {
  if (apiKey !== undefined || (await keys.list()).length > 0) return undefined
  const secret = newKeySecret(environment)
  await keys.create({
    id: newKeyId(),
    name: 'first key',
    permission: 'write',
    hash: keyHash(secret),
    createdAt: Date.now(),
  })
  return secret
}

// Its id is made of its hash: the same key is the same client after a restart, and on every instance.
function ownKey(secret: string | undefined): { hash: string; key: ApiKey } | undefined {
  if (secret === undefined) return undefined
  const hash = keyHash(secret)
  return { hash, key: { id: `own_${hash.slice(0, 12)}`, name: 'PETSTORE_API_KEY', permission: 'write', createdAt: 0 } }
}
