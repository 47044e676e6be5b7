import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Stall } from '../../../inventory/deliveries.ts'
import type { OpenStorage } from '../../../storage/open.ts'
import { hungThreads, startThread, type Thread } from '../../../threads/thread.ts'
import type { DeliveryLog } from '../log/delivery-log.ts'
import { withTimeout } from '../timeout.ts'
import type { DeliveryFunctions, DeliveryOptions, DeliveryStats, StarterFunctions } from './run-deliveries.ts'
import type { DeliveryThreadData } from './run-thread.ts'
import { fromSentError } from './sent-error.ts'

export interface DeliveryThreadOptions extends Omit<DeliveryOptions, 'holder'> {
  /** Of this thread: it says when a webhook is enabled, and disables one. */
  storage: Pick<OpenStorage, 'version' | 'webhooks' | 'deliveries' | 'relay'>
  newThread: NewThread
  observer: DeliveryThreadObserver
  /** For tests. */
  stopTimeoutMs?: number
  askTimeoutMs?: number
}

export type NewThread = (options: DeliveryOptions, functions: StarterFunctions) => Thread<DeliveryFunctions>

/** Hears what happens to deliveries, for the log and the metrics. */
export interface DeliveryThreadObserver extends DeliveryLog {
  /** This many tries succeeded that `tried` does not report. */
  delivered(count: number): void
}

export interface DeliveryThread {
  /** Rejects while they are not known: the thread does not respond, or starts. */
  stats(): Promise<DeliveryStats>
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
/** How often the thread is asked what it has delivered. */
const askIntervalMs = 1_000
/**
 * How long the thread may take to answer that, which is no work. Long, because other threads go first on a busy
 * machine.
 */
const defaultAskTimeoutMs = 30_000
/** Each holds memory, and what hangs one may hang every one. */
const maxHungThreads = 3
const nothingToDeliver: DeliveryStats = {
  dispatcher: { healthy: 0, failing: 0, oldestUndeliveredMs: 0 },
  sessions: [],
}

/**
 * Delivers events in a thread of its own, with connections of its own to the database: this one, which serves requests,
 * does nothing for a delivery. It starts with the first enabled webhook: a shop without any does not pay for it. One that
 * has ended or hangs is replaced.
 */
export function startDeliveryThread(options: DeliveryThreadOptions): DeliveryThread {
  const { storage, observer, pollMs, source, allowPrivate, leaseMs, limits, newThread } = options
  const { stopTimeoutMs = defaultStopTimeoutMs, askTimeoutMs = defaultAskTimeoutMs } = options
  const threadOptions: DeliveryOptions = { holder: randomUUID(), source, allowPrivate, leaseMs, pollMs, limits }
  let thread: Thread<DeliveryFunctions> | undefined
  let looking: Promise<unknown> | undefined
  let seenVersion = Number.NaN
  let lookAgainAt = 0
  let askAgainAt = 0
  let hasAskedForLease = false
  /** Whether the last look found no enabled webhook. */
  let hasNoWebhooks = false
  /** The thread hangs, or cannot be started. */
  let stalled: Stall | undefined
  let isStopping = false

  function start(): void {
    const started = newThread(threadOptions, {
      disable: (input) => storage.webhooks.disable(...input),
      tried: ({ attempt, endpoint }) => observer.tried(attempt, endpoint),
      disabled: ({ endpoint, reason }) => observer.disabled(endpoint, reason),
      failed: (error) => observer.failed(fromSentError(error)),
    })
    thread = started
    askAgainAt = 0
    void started.ended.then(() => {
      if (thread === started) thread = undefined
      seenVersion = Number.NaN
    })
  }

  /** A process that starts on a file takes the lease at once, from whoever has it. Its threads have its name. */
  async function takeLeaseOfFile(): Promise<void> {
    if (storage.relay === undefined || hasAskedForLease) return
    await storage.deliveries.acquire(threadOptions.holder, leaseMs)
    hasAskedForLease = true
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
      await takeLeaseOfFile()
      if (!isStopping) start()
    }
    seenVersion = version
  }

  async function look(): Promise<void> {
    if (thread !== undefined && performance.now() < askAgainAt) return
    askAgainAt = performance.now() + askIntervalMs
    const since = Date.now()
    const reason = thread === undefined ? 'storage' : 'thread'
    try {
      if (thread === undefined) return await startIfNeeded()
      observer.delivered(await thread.callWithin(askTimeoutMs, 'takeDelivered'))
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
      const stopping = thread?.callWithin(isSilent ? silentMs : stopTimeoutMs, 'stop')
      observer.delivered((await stopping?.catch(() => 0)) ?? 0)
      await thread?.end().catch(() => undefined)
    },
  }
}

/** Threads for the database of this URL, which has `relay` if it is a file. */
export function newDeliveryThreads(databaseUrl: string, relay: OpenStorage['relay']): NewThread {
  const module = new URL('./run-thread.ts', import.meta.url)
  return (options, functions) => {
    const data: DeliveryThreadData = { ...options, databaseUrl }
    return startThread({ name: 'delivery', module, data, functions: { ...functions, ...relay } })
  }
}
