import { randomUUID } from 'node:crypto'
import { Worker } from 'node:worker_threads'
import { unavailable } from '../../../inventory/errors.ts'
import type { DispatcherStats } from '../../../webhooks/dispatcher.ts'
import type { DispatcherStorage } from '../../../webhooks/dispatcher-storage.ts'
import type { DeliveryLog } from '../log/delivery-log.ts'
import { connectCalls } from '../processes/ipc.ts'
import { withTimeout } from '../timeout.ts'
import type { DeliveryThreadData, ThreadReports } from './run-thread.ts'
import { callStorage, fromSentError, type StorageCall } from './storage-calls.ts'

export interface DeliveryThreadOptions extends Omit<DeliveryThreadData, 'holder'> {
  storage: DispatcherStorage
  /** How often to look for new events. */
  pollMs: number
  observer: DeliveryThreadObserver
  /** For tests. */
  newWorker?: (workerData: DeliveryThreadData) => Worker
  stopTimeoutMs?: number
}

/** Hears what happens to deliveries, for the log and the metrics. */
export interface DeliveryThreadObserver extends DeliveryLog {
  /** So many tries have succeeded of which `tried` says nothing. */
  delivered(count: number): void
}

export interface DeliveryThread {
  /** Undefined in a process that does not deliver. */
  stats(): Promise<DispatcherStats | undefined>
  /** Lets tries end for a moment, stores positions, and lets others deliver. */
  stop(): Promise<void>
}

/** How long an enabled webhook may wait for the thread, and a thread that has ended for the next one. */
const startIntervalMs = 1_000
/** How long a thread may take to stop. Less than the whole service may take, so that the storage is closed after it. */
const defaultStopTimeoutMs = 8_000

/**
 * Delivers events in a thread of its own, so that requests wait for nothing but its reads and notes, which need the
 * storage of this one. It starts with the first enabled webhook: a shop without any does not pay for it. One that has
 * ended is replaced.
 */
export function startDeliveryThread(options: DeliveryThreadOptions): DeliveryThread {
  const { storage, observer, pollMs, source, allowPrivate, leaseMs, newWorker = newDeliveryWorker } = options
  const { stopTimeoutMs = defaultStopTimeoutMs } = options
  const workerData: DeliveryThreadData = { holder: randomUUID(), source, allowPrivate, leaseMs }
  let thread: ReturnType<typeof startThread> | undefined
  let looking: Promise<void> | undefined
  let seenVersion = Number.NaN
  let lookAgainAt = 0
  let isStopping = false

  function startThread() {
    const worker = newWorker(workerData)
    const calls = connectCalls(
      { send: (message) => worker.postMessage(message), on: (event, listener) => worker.on(event, listener) },
      {
        storage: (call: StorageCall) => callStorage(storage, call),
        tried: async ({ attempt, endpoint }: ThreadReports['tried']) => observer.tried(attempt, endpoint),
        delivered: async (count: ThreadReports['delivered']) => observer.delivered(count),
        disabled: async ({ endpoint, reason }: ThreadReports['disabled']) => observer.disabled(endpoint, reason),
        failed: async (error: ThreadReports['failed']) => observer.failed(fromSentError(error)),
      },
    )
    worker.on('error', observer.failed)
    worker.on('exit', () => {
      thread = undefined
      seenVersion = Number.NaN
      calls.end(unavailable('The thread that delivers has ended.'))
    })
    return { worker, ...calls }
  }

  async function startIfNeeded(): Promise<void> {
    const version = storage.version()
    if (version === seenVersion || performance.now() < lookAgainAt) return
    lookAgainAt = performance.now() + startIntervalMs
    const endpoints = await storage.webhooks.enabled()
    if (endpoints.length > 0 && !isStopping) thread = startThread()
    seenVersion = version
  }

  async function look(): Promise<void> {
    if (thread === undefined) await startIfNeeded()
    else await thread.call('tick', storage.version())
  }

  function tick(): void {
    looking ??= look()
      .catch(observer.failed)
      .finally(() => (looking = undefined))
  }

  async function stopThread(): Promise<void> {
    await looking
    await thread?.call('stop')
  }

  const timer = setInterval(tick, pollMs).unref()
  return {
    async stats() {
      return thread && withTimeout(thread.call<DispatcherStats | undefined>('stats'))
    },
    async stop() {
      isStopping = true
      clearInterval(timer)
      // A thread that has ended has nothing left to stop, and one that does not respond is ended.
      await withTimeout(stopThread(), stopTimeoutMs).catch(() => undefined)
      await thread?.worker.terminate()
    },
  }
}

export function newDeliveryWorker(workerData: DeliveryThreadData): Worker {
  return new Worker(new URL('./thread-start.js', import.meta.url), { name: 'delivery', workerData })
}
