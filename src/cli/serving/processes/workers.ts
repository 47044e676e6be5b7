import cluster, { type Worker } from 'node:cluster'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Certificate } from '../../../http/server/certificate.ts'
import type { WriteRelay } from '../../../storage/shared/writes/relay.ts'
import { Failure } from '../../shared/failure.ts'
import { freePort, isTaken } from '../listening.ts'
import { openLog } from '../log/log.ts'
import { openWorkerLog, workerStderr } from '../log/worker-log.ts'
import { countersOf, type MetricsSnapshot, metricsText } from '../metrics/collector.ts'
import { type Calls, connectCalls } from '../../../threads/calls.ts'
import { withTimeout } from '../timeout.ts'
import { defaultHeartbeat, watchHeartbeat } from './heartbeat.ts'
import type { PrimaryFunctions, WorkerFunctions } from './process-calls.ts'
import type { Processes, ProcessesOptions } from './process-options.ts'

const defaultWorkerLimits = {
  heartbeat: defaultHeartbeat,
  /** After the drain. Longer than a worker gives its connections, shorter than the time in which the service stops. */
  stopTimeoutMs: 9_000,
}
const logFlushTimeoutMs = 500
const minReplaceDelayMs = 200
/** The longest pause before a worker that could not start is tried again. */
const maxReplaceDelayMs = 5_000
/** How many free ports are tried: another program may take one before the workers do. */
const maxPortTries = 5

/**
 * Several processes on one port and one database. Each reads for itself. Writes to an embedded database go through this
 * process, so that all share its commits. A worker that dies or hangs is replaced. None outlives this process, unless it
 * is killed itself.
 */
export async function startWorkers(
  count: number,
  { config, databaseUrl, storage, metrics, redeemCode, stallWatch, ...options }: ProcessesOptions,
  limits = defaultWorkerLimits,
): Promise<Processes> {
  // The workers accept connections themselves. By default this process would hand them out, and connections on their
  // way to a killed worker would hang for ever.
  cluster.schedulingPolicy = cluster.SCHED_NONE
  cluster.setupPrimary({ serialization: 'advanced', stdio: ['inherit', 'inherit', workerStderr(), 'ipc'] })
  const workerLog = openWorkerLog()
  const running = new Map<Worker, Calls<WorkerFunctions>>()
  /** A process that does not answer keeps its numbers: a counter that falls looks like a restart. */
  const lastSnapshots = new WeakMap<Worker, MetricsSnapshot>()
  /** What workers that have ended had counted when they were last asked; one snapshot, or none. */
  let endedCounters: Promise<MetricsSnapshot[]> = Promise.resolve([])
  const listening = new Set<Worker>()
  const portIsFree = Promise.withResolvers<void>()
  /** Workers do not read it themselves: the files may have become unusable. */
  let { certificate } = options
  let serving = false
  let stopping = false
  /** Workers never choose a free port themselves: a replacement must share the one of the others. */
  let { port } = config

  async function allMetrics(): Promise<string> {
    const ofWorkers = [...running].map(async ([worker, calls]) => {
      const snapshot = await withTimeout(calls.call('metrics')).catch(() => undefined)
      if (snapshot !== undefined) lastSnapshots.set(worker, snapshot)
      return lastSnapshots.get(worker) ?? []
    })
    const snapshots = await Promise.all([metrics.snapshot(), endedCounters, ...ofWorkers])
    return metricsText(snapshots.flat())
  }

  function keepCounters(worker: Worker): void {
    const last = lastSnapshots.get(worker)
    if (last !== undefined) endedCounters = endedCounters.then(async (others) => [await countersOf([...others, last])])
  }

  /** Resolves to the address of a new worker when it listens. */
  function fork(): Promise<string> {
    return new Promise((resolve, reject) => {
      let isStarted = false
      const worker = cluster.fork({ PETSTORE_PORT: String(port), PETSTORE_DATABASE_URL: databaseUrl })
      // If there is no process, this is the reason. Otherwise a message met a worker that has just died, and 'exit'
      // reports its end.
      worker.on('error', reject)
      if (worker.process.pid === undefined) return
      const functions: PrimaryFunctions = {
        commit: (group) => (storage.relay as WriteRelay).commit(group),
        check: () => storage.check(),
        files: () => (storage.relay as WriteRelay).files(),
        foundDamage: (message) => (storage.relay as WriteRelay).foundDamage(message),
        metricsText: allMetrics,
        redeemCode,
        deliveryStall: stallWatch.find,
        certificate: () => certificate,
        started(address) {
          isStarted = true
          listening.add(worker)
          if (serving) void calls.call('serve').catch(() => undefined)
          resolve(address)
        },
        released: () => release(worker),
        failed: (message) => reject(new Failure(message)),
      }
      const calls = connectCalls<WorkerFunctions>(worker, functions)
      running.set(worker, calls)
      workerLog.copy(worker.process.stderr)
      const ask = () => calls.call('heartbeat')
      const endHeartbeat = watchHeartbeat(ask, () => kill(worker, 'hangs'), limits.heartbeat)
      worker.once('exit', (code, signal) => {
        running.delete(worker)
        endHeartbeat()
        keepCounters(worker)
        void release(worker)
        calls.end(new Error('The worker has ended.'))
        reject(new Error(`A worker ended while starting (${signal ?? `exit code ${code}`}).`))
        if (isStarted && !stopping) void replace({ pid: worker.process.pid, code, signal })
      })
    })
  }

  /** A worker has closed the port. While the service stops, resolves when all have. */
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
    for (let delayMs = minReplaceDelayMs; ; delayMs = Math.min(2 * delayMs, maxReplaceDelayMs)) {
      await sleep(delayMs)
      if (stopping) return
      try {
        return void (await fork())
      } catch (error) {
        if (!stopping) log.error({ reason: (error as Error).message }, 'a worker cannot be started')
      }
    }
  }

  /** Works on a process that is stopped or in an endless loop too. */
  function kill(worker: Worker, reason: string): void {
    const { pid } = worker.process
    void openLog(config.logLevel).then((log) => log.error({ pid }, `a worker ${reason} and was killed`))
    worker.process.kill('SIGKILL')
  }

  /** Waits for a moment only: a worker may hang. */
  async function callAll(call: (worker: Calls<WorkerFunctions>) => Promise<void>): Promise<void> {
    await Promise.allSettled([...running.values()].map((calls) => withTimeout(call(calls))))
  }

  async function serve(): Promise<void> {
    serving = true
    await callAll(({ call }) => call('serve'))
  }

  async function stop(): Promise<void> {
    stopping = true
    // 'close' comes after the last line of a worker, 'exit' may come before it.
    const closed = [...running.keys()].map((worker) => new Promise((resolve) => worker.process.once('close', resolve)))
    for (const calls of running.values()) void calls.call('stop').catch(() => undefined)
    const timer = setTimeout(
      () => {
        for (const worker of running.keys()) kill(worker, 'did not stop')
      },
      config.drainSeconds * 1_000 + limits.stopTimeoutMs,
    )
    await Promise.all(closed)
    clearTimeout(timer)
    await workerLog.flush(logFlushTimeoutMs)
  }

  async function useCertificate(renewed: Certificate): Promise<void> {
    certificate = renewed
    await callAll(({ call }) => call('useCertificate', renewed))
  }

  const killAll = () => {
    for (const { process: worker } of running.keys()) worker.kill('SIGKILL')
  }

  /** Resolves to the address when all workers listen. */
  async function forkAll(triesLeft = maxPortTries): Promise<string> {
    if (config.port === 0) port = await freePort(config.host)
    try {
      const [address = ''] = await Promise.all(Array.from({ length: count }, fork))
      return address
    } catch (error) {
      const mayTryAgain = config.port === 0 && triesLeft > 1 && (await isTaken(config.host, port))
      if (!mayTryAgain) throw error
      const ended = [...running.keys()].map((worker) => new Promise((resolve) => worker.once('exit', resolve)))
      killAll()
      await Promise.all(ended)
      return forkAll(triesLeft - 1)
    }
  }

  // After a timeout and a second signal too: a hung worker would keep the port.
  process.once('exit', killAll)
  try {
    const address = await forkAll()
    return { address, serve, stop, useCertificate, metricsText: allMetrics }
  } catch (error) {
    stopping = true
    killAll()
    throw error
  }
}
