import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Stall } from '../../../inventory/deliveries.ts'
import type { DispatcherStats } from '../../../webhooks/dispatcher.ts'
import type { DispatcherStorage } from '../../../webhooks/dispatcher-storage.ts'
import type { DeliveryLog } from '../log/delivery-log.ts'
import { hungThreads, startThread, type Thread } from '../../../threads/thread.ts'
import { withTimeout } from '../timeout.ts'
import type { DeliveryFunctions, DeliveryThreadData, StarterFunctions } from './run-thread.ts'
import { fromSentError, storageCalls } from './storage-calls.ts'

export interface DeliveryThreadOptions extends Omit<DeliveryThreadData, 'holder'> {
  storage: DispatcherStorage
  /** How often to look for new events. */
  pollMs: number
  observer: DeliveryThreadObserver
  /** For tests. */
  newThread?: (data: DeliveryThreadData, functions: StarterFunctions) => Thread<DeliveryFunctions>
  stopTimeoutMs?: number
  tickTimeoutMs?: number
}

/** Hears what happens to deliveries, for the log and the metrics. */
export interface DeliveryThreadObserver extends DeliveryLog {
  /** This many tries succeeded that `tried` does not report. */
  delivered(count: number): void
}

export interface DeliveryThread {
  /**
   * Undefined in an instance that does not deliver, because another has the lease. Rejects while they are not known:
   * the thread does not respond, or starts.
   */
  stats(): Promise<DispatcherStats | undefined>
  /** Since when and why deliveries of this process stand still, from the first failure on; real time. */
  stall(): Promise<Stall | undefined>
  /** Lets tries end for a moment, stores positions, and lets others deliver. */
  stop(): Promise<void>
}

/** How long an enabled webhook may wait for the thread, and a thread that has ended for the next one. */
const startIntervalMs = 1_000
/** How long a thread may take to stop. Less than the whole service may take, so that the storage is closed after it. */
const defaultStopTimeoutMs = 8_000
const maxSilenceMs = 1_000
/**
 * How long the thread may take to answer a tick, which is no work. Long, because other threads go first on a busy
 * machine.
 */
const defaultTickTimeoutMs = 30_000
/** Each holds memory, and what hangs one may hang every one. */
const maxHungThreads = 3
const nothingToDeliver: DispatcherStats = { healthy: 0, failing: 0, oldestUndeliveredMs: 0 }

/**
 * Delivers events in a thread of its own, so that requests wait for nothing but its reads and notes, which need the
 * storage of this one. It starts with the first enabled webhook: a shop without any does not pay for it. One that has
 * ended or hangs is replaced.
 */
export function startDeliveryThread(options: DeliveryThreadOptions): DeliveryThread {
  const { storage, observer, pollMs, source, allowPrivate, leaseMs, newThread = newDeliveryThread } = options
  const { stopTimeoutMs = defaultStopTimeoutMs, tickTimeoutMs = defaultTickTimeoutMs } = options
  const data: DeliveryThreadData = { holder: randomUUID(), source, allowPrivate, leaseMs }
  let thread: Thread<DeliveryFunctions> | undefined
  let looking: Promise<unknown> | undefined
  let seenVersion = Number.NaN
  let lookAgainAt = 0
  /** Whether the last look found no enabled webhook. */
  let hasNoWebhooks = false
  /** The thread hangs, or cannot be started. */
  let stalled: Stall | undefined
  let isStopping = false

  function start(): void {
    const started = newThread(data, {
      ...storageCalls(storage),
      tried: ({ attempt, endpoint }) => observer.tried(attempt, endpoint),
      delivered: (count) => observer.delivered(count),
      disabled: ({ endpoint, reason }) => observer.disabled(endpoint, reason),
      failed: (error) => observer.failed(fromSentError(error)),
    })
    thread = started
    void started.ended.then(() => {
      if (thread === started) thread = undefined
      seenVersion = Number.NaN
    })
  }

  async function startIfNeeded(): Promise<void> {
    const version = storage.version()
    if (version === seenVersion || performance.now() < lookAgainAt) return
    lookAgainAt = performance.now() + startIntervalMs
    const endpoints = await storage.webhooks.enabled()
    hasNoWebhooks = endpoints.length === 0
    if (hasNoWebhooks) stalled = undefined
    else if (!isStopping) {
      if (hungThreads().filter((name) => name === 'delivery').length >= maxHungThreads) return
      start()
    }
    seenVersion = version
  }

  async function look(): Promise<void> {
    const since = Date.now()
    const reason = thread === undefined ? 'storage' : 'thread'
    try {
      if (thread === undefined) return await startIfNeeded()
      await thread.callWithin(tickTimeoutMs, 'tick', storage.version())
      stalled = undefined
    } catch (error) {
      stalled ??= { since, reason }
      throw error
    }
  }

  function tick(): void {
    const asked = thread
    looking ??= look()
      // What happens to a thread is told by itself (`threadEvents`).
      .catch((error: Error) => asked?.hasEnded || observer.failed(error))
      .then(() => (looking = undefined))
  }

  const timer = setInterval(tick, pollMs).unref()
  return {
    async stats() {
      if (thread !== undefined) return withTimeout(thread.call('stats'))
      if (hasNoWebhooks) return nothingToDeliver
      throw new Error('No thread delivers.')
    },
    async stall() {
      if (stalled !== undefined || thread === undefined) return stalled
      const since = await withTimeout(thread.call('failingSince'))
      return since === undefined ? undefined : { since, reason: 'storage' }
    },
    async stop() {
      isStopping = true
      clearInterval(timer)
      // One that is silent before it is told to stop gets little time: the storage is closed after it.
      const silentMs = Math.min(maxSilenceMs, stopTimeoutMs)
      const isSilent = await Promise.race([looking?.then(() => false), sleep(silentMs, true)])
      await thread?.callWithin(isSilent ? silentMs : stopTimeoutMs, 'stop').catch(() => undefined)
      await thread?.end().catch(() => undefined)
    },
  }
}

export function newDeliveryThread(data: DeliveryThreadData, functions: StarterFunctions): Thread<DeliveryFunctions> {
  return startThread({ name: 'delivery', module: new URL('./run-thread.ts', import.meta.url), data, functions })
}
