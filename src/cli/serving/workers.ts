import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import closeWithGrace from 'close-with-grace'
import type { RedeemCode } from '../../http/routes/console.ts'
import type { WriteRelay } from '../../storage/shared/relay.ts'
import { type OpenStorage, openStorage } from '../../storage/open.ts'
import { connectCalls } from './ipc.ts'
import type { Config } from '../shared/config.ts'
import { type Edge, startEdge } from './edge.ts'
import { openLog } from './log.ts'
import { onlyOnce, stopSignals } from './signals.ts'
import { Failure } from '../shared/failure.ts'
import { type MetricsSnapshot, metricsText, openMetrics } from './metrics.ts'

export interface WorkersOptions {
  config: Config
  storage: OpenStorage
  redeemCode: RedeemCode
}

/**
 * Several processes on one port and one database. They read for themselves. An embedded database they write through this
 * process, so that together they have one writer and share its commits. One that dies is replaced.
 */
export async function startWorkers(
  count: number,
  { config, storage, redeemCode }: WorkersOptions,
): Promise<Edge & { metricsText: () => Promise<string> }> {
  // The workers accept connections themselves. Were they handed out one by one from here, as is the default, those on
  // their way to a worker that is killed would hang for ever.
  cluster.schedulingPolicy = cluster.SCHED_NONE
  cluster.setupPrimary({ serialization: 'advanced' })
  const running = new Map<Worker, ReturnType<typeof connectCalls>>()
  const listening = new Set<Worker>()
  const portIsFree = Promise.withResolvers<void>()
  let stopping = false
  let port: string | undefined

  async function allMetrics(): Promise<string> {
    const asked = await Promise.allSettled(
      [...running.values()].map((calls) => soon(calls.call<MetricsSnapshot>('metrics'))),
    )
    return metricsText(asked.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : [])))
  }

  function fork(): Promise<string> {
    // A worker that replaces another takes the port that they have, also where a free one was asked for.
    const worker = cluster.fork(port === undefined ? {} : { PETSTORE_PORT: port })
    return new Promise((resolve, reject) => {
      const calls = connectCalls(worker, {
        commit: (group) => (storage.relay as WriteRelay).commit(group),
        check: () => storage.check(),
        foundDamage: (message: string) => (storage.relay as WriteRelay).foundDamage(message),
        metricsText: allMetrics,
        redeemCode,
        started: async (address: string) => {
          listening.add(worker)
          resolve(address)
        },
        released: () => release(worker),
        failed: async (message: string) => reject(new Failure(message)),
      })
      running.set(worker, calls)
      // A message to one that has just died. That it is gone, 'exit' tells.
      worker.on('error', () => undefined)
      worker.once('exit', (code, signal) => {
        running.delete(worker)
        void release(worker)
        calls.end(new Error('The worker has ended.'))
        reject(new Error('A worker ended while starting.'))
        if (!stopping) void replace({ pid: worker.process.pid, code, signal })
      })
    })
  }

  /** A worker does not listen any more. While the service stops, resolves once none of them does. */
  async function release(worker: Worker): Promise<void> {
    listening.delete(worker)
    if (listening.size === 0) portIsFree.resolve()
    if (stopping) await portIsFree.promise
  }

  async function replace(ended: {
    pid: number | undefined
    code: number | null
    signal: string | null
  }): Promise<void> {
    const log = await openLog(config.logLevel)
    log.error(ended, 'a worker ended and is being replaced')
    // Not at once: what kills a worker at its start would kill the next one just as fast.
    await sleep(200)
    if (!stopping) await fork().catch(() => undefined)
  }

  async function stop(): Promise<void> {
    stopping = true
    const ended = [...running.keys()].map((worker) => once(worker, 'exit'))
    for (const calls of running.values()) void calls.call('stop').catch(() => undefined)
    await Promise.all(ended)
  }

  try {
    const [address = ''] = await Promise.all(Array.from({ length: count }, fork))
    port = new URL(address).port
    return { address, stop, metricsText: allMetrics }
  } catch (error) {
    stopping = true
    for (const worker of running.keys()) worker.process.kill('SIGKILL')
    throw error
  }
}

/** Another process that does not answer within a second is not waited for. */
function soon<Result>(answer: Promise<Result>): Promise<Result> {
  const tooLate = sleep(1_000, undefined, { ref: false }).then(() => Promise.reject(new Error('too late')))
  return Promise.race([answer, tooLate])
}

/** One of the processes that `startWorkers` starts. */
export async function runWorker(config: Config, environment: NodeJS.ProcessEnv): Promise<void> {
  const metrics = openMetrics()
  const primary = connectCalls(process as Required<Pick<NodeJS.Process, 'send'>> & NodeJS.Process, {
    metrics: () => metrics.snapshot(),
    stop: async () => stop(),
  })
  let storage: OpenStorage | undefined
  let edge: Edge | undefined
  const grace = closeWithGrace({ delay: false, logger: false, skip: [...stopSignals] }, async ({ err }) => {
    await edge?.stop(err)
    await storage?.close()
    cluster.worker?.disconnect()
  })
  const stop = onlyOnce(grace.close)
  process.on('SIGTERM', stop)
  // A key press and the end of a terminal reach the first process too, which then says when to stop.
  for (const signal of ['SIGINT', 'SIGHUP']) process.on(signal, () => undefined)
  // Without the process that writes there is nothing to go on for.
  process.once('disconnect', () => process.exit(1))
  try {
    const relay = {
      commit: (group: unknown) => primary.call('commit', group),
      check: () => primary.call<void>('check'),
      foundDamage: (message: string) => primary.call<void>('foundDamage', message),
    }
    storage = await openStorage(config.databaseUrl, {
      relay,
      readUrl: config.readDatabaseUrl,
      maxLagMs: config.readMaxLagMs,
      environment: config.environment,
    })
    edge = await startEdge({
      config,
      environment,
      storage,
      metrics,
      redeemCode: (code) => primary.call('redeemCode', code),
      released: () => soon(primary.call<void>('released')).catch(() => undefined),
      metricsText: config.metricsPort === undefined ? () => primary.call<string>('metricsText') : undefined,
    })
    await primary.call('started', edge.address)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    await primary.call('failed', error.message)
    process.exit(1)
  }
}
