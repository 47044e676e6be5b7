import { randomUUID } from 'node:crypto'
import type { Clock } from '../inventory/clock.ts'
import type { Endpoint } from '../inventory/webhooks.ts'
import type { AddressRules } from './addresses.ts'
import { deliverEvents } from './deliver-events.ts'
import type { DeliveryLimits } from './delivery-slots.ts'
import type { Delivering, DeliveryObserver } from './delivering.ts'
import type { DispatcherStorage } from './dispatcher-storage.ts'
import { eventReader } from './event-reader.ts'
import { logPruning } from './log-pruning.ts'
import { secretsOf } from './sign.ts'
import { send } from './send.ts'

export interface DispatcherOptions {
  storage: DispatcherStorage
  /** A name that no other process has. */
  holder?: string
  /** The `source` of events, as the feed has it. */
  source: string
  addresses: AddressRules
  observer: DeliveryObserver
  /** Real time, for retries, leases and signatures. */
  clock?: Clock
  /** The time of the shop, for the end of a replaced secret and for what webhooks show. Default: real time. */
  shopClock?: Clock
  leaseMs: number
  /** How many tries run at once. */
  limits?: DeliveryLimits | undefined
  /** Whether this thread serves nobody else, so that deliveries need not leave time for others. */
  hasOwnThread?: boolean
  /** How long a change of a webhook, or the end of another lease, may go unnoticed while there are no new events. */
  refreshMs?: number
}

export interface DispatcherStats {
  /** Endpoints by state, in the process that delivers. */
  healthy: number
  failing: number
  /** How long ago the oldest event happened that an endpoint has not got. */
  oldestUndeliveredMs: number
}

export interface Dispatcher {
  /** Looks for new events and changed webhooks. Nothing else does. */
  tick(): Promise<void>
  /** Tries again what is due. For tests that move the clock. */
  retryDue(): void
  /** Undefined while another process delivers. */
  stats(): DispatcherStats | undefined
  /** Since when events could not be read, or what was delivered could not be stored; real time. */
  failingSince(): number | undefined
  /** Lets tries end for a moment, stores positions, and lets others deliver. */
  stop(): Promise<void>
}

const defaultRefreshMs = 1_000
const noteAllMs = 60_000
const pruneMs = 10_000
const stopGraceMs = 2_000

/**
 * Delivers events to webhooks, in the process that has the lease. It asks for the lease only while there are enabled
 * webhooks. One read of the feed serves all of them; while nothing happens, nothing is read or written for any.
 */
export function startDispatcher(options: DispatcherOptions): Dispatcher {
  const { storage, source, addresses, observer, leaseMs, clock = Date.now, shopClock = clock } = options
  const { refreshMs = defaultRefreshMs, holder = randomUUID(), hasOwnThread = false } = options
  const { events, webhooks, deliveries, version } = storage
  const reader = eventReader(events, source)
  const log = logPruning((ids) => deliveries.forget(ids))
  let delivering: Delivering | undefined
  let ticking: Promise<void> | undefined
  let isTickWanted = false
  let isStopping = false
  let hasNoEndpoints = false
  let seenVersion = Number.NaN
  let mayHaveChanged = false
  let failingSince: number | undefined
  const due = { refresh: 0, noteAll: 0, prune: 0 }

  /** Whether a time has come, by a clock that nobody sets; then the next one is `ms` later. */
  function isDue(name: keyof typeof due, ms: number): boolean {
    const now = performance.now()
    if (now < due[name]) return false
    due[name] = now + ms
    return true
  }

  const counting: DeliveryObserver = {
    ...observer,
    tried(attempt, endpoint, message) {
      log.count(endpoint.id)
      observer.tried(attempt, endpoint, message)
    },
  }

  async function lead(): Promise<void> {
    const lease = await deliveries.acquire(holder, leaseMs)
    if (lease === undefined) return
    await reader.begin()
    const started = deliverEvents({
      deliveries,
      webhooks,
      reader,
      clock,
      shopClock,
      observer: counting,
      lease,
      leaseMs,
      limits: options.limits,
      hasOwnThread,
      send: (message, endpoint, sendOptions) =>
        send(
          message,
          { url: endpoint.url, format: endpoint.format, secrets: secretsOf(endpoint, shopClock()) },
          { addresses, clock, ...sendOptions },
        ),
      lost() {
        delivering = undefined
        mayHaveChanged = true
      },
    })
    delivering = started
    // Read after the head, as in `poll`.
    await started.use(await webhooks.enabled())
    await started.poll()
  }

  async function look(): Promise<void> {
    const current = version()
    const isNew = current !== seenVersion
    seenVersion = current
    mayHaveChanged ||= isNew
    let hasWorked = false
    if (mayHaveChanged && isDue('refresh', refreshMs)) {
      mayHaveChanged = false
      await useEndpoints(await webhooks.enabled())
      hasWorked = true
    }
    if (isNew && delivering !== undefined) {
      await delivering.poll()
      hasWorked = true
    }
    if (hasWorked) failingSince = undefined
    if (delivering === undefined) return
    if (isDue('noteAll', noteAllMs)) delivering.noteAll()
    if (isDue('prune', pruneMs)) await log.prune(new Set([...delivering.states()].map(({ endpoint }) => endpoint.id)))
  }

  async function useEndpoints(endpoints: readonly Endpoint[]): Promise<void> {
    hasNoEndpoints = endpoints.length === 0
    if (hasNoEndpoints) {
      const ended = delivering
      delivering = undefined
      await ended?.stop(stopGraceMs)
    } else if (delivering !== undefined) await delivering.use(endpoints)
    else {
      // Until it leads: another process may stop.
      mayHaveChanged = true
      await lead()
    }
  }

  function tick(): Promise<void> {
    if (isStopping) return Promise.resolve()
    // What happened after the current look began needs another one.
    if (ticking !== undefined) isTickWanted = true
    ticking ??= look()
      .catch((error: Error) => {
        failingSince ??= Date.now()
        // Looks again, also without another write.
        seenVersion = Number.NaN
        observer.failed(error)
      })
      .finally(() => {
        ticking = undefined
        if (isTickWanted) void tick()
        isTickWanted = false
      })
    return ticking
  }

  return {
    tick,
    retryDue: () => delivering?.retryDue(),
    stats() {
      if (delivering === undefined && !hasNoEndpoints) return undefined
      const states = [...(delivering?.states() ?? [])]
      const failing = states.filter(({ attempts }) => attempts > 0).length
      const ages = states.map(({ behindSince }) => (behindSince === undefined ? 0 : shopClock() - behindSince))
      return { healthy: states.length - failing, failing, oldestUndeliveredMs: Math.max(0, ...ages) }
    },
    failingSince: () => failingSince ?? delivering?.unstoredSince(),
    async stop() {
      isStopping = true
      await ticking
      await delivering?.stop(stopGraceMs)
      delivering = undefined
    },
  }
}
