import { setPriority } from 'node:os'
import type { NewDeliveryTry } from '../../../inventory/deliveries.ts'
import { type Endpoint, maxWebhooks } from '../../../inventory/webhooks.ts'
import { startDispatcher } from '../../../webhooks/dispatcher.ts'
import { isDelivered } from '../../../webhooks/send-result.ts'
import type { Calls } from '../../../threads/calls.ts'
import { remoteStorage, type SentError, type StorageCalls, toSentError } from './storage-calls.ts'

/** What the thread is started with. */
export interface DeliveryThreadData {
  /** The same for every thread of a process, so that the next one need not wait for the end of the lease. */
  holder: string
  source: string
  allowPrivate: boolean
  leaseMs: number
}

/** What the thread calls of the first one. */
export type StarterFunctions = StorageCalls & {
  /** A try that failed, or the first success after failures. The others are only counted: there may be thousands a second. */
  tried(report: { attempt: NewDeliveryTry; endpoint: Pick<Endpoint, 'id' | 'url'> }): void
  /** This many other tries succeeded. */
  delivered(count: number): void
  disabled(report: { endpoint: Endpoint; reason: 'gone' | 'failed' }): void
  failed(error: SentError): void
}

export type DeliveryFunctions = ReturnType<typeof run>

/**
 * Where threads have priorities of their own, requests go first on a machine that is short of cores: this thread then
 * has about a tenth of one.
 */
const niceness = 10

export function lowerPriority(set: (niceness: number) => void = setPriority): void {
  try {
    // On other systems this would be the priority of the process.
    if (process.platform === 'linux') set(niceness)
  } catch {
    // Not allowed, as under deploy/petstore.service. It delivers all the same.
  }
}

/** Delivers events, in a thread that does nothing else. The first thread calls its functions, and has the storage. */
export function run({ holder, source, allowPrivate, leaseMs }: DeliveryThreadData, first: Calls<StarterFunctions>) {
  lowerPriority()
  /** Webhooks whose last try failed. A changed one begins anew: then the success after it is the first try of an event. */
  const failing = new Set<bigint>()
  let version = Number.NaN
  let delivered = 0

  function reportDelivered(): void {
    if (delivered > 0) void first.call('delivered', delivered)
    delivered = 0
  }

  const dispatcher = startDispatcher({
    storage: remoteStorage(first, () => version),
    holder,
    source,
    addresses: { allowPrivate },
    leaseMs,
    hasOwnThread: true,
    observer: {
      tried(attempt, { id, url }) {
        const isSuccess = isDelivered(attempt)
        const wasFailing = failing.delete(id) || attempt.attempt > 1
        if (!isSuccess) failing.add(id)
        // Removed webhooks leave entries.
        for (const each of failing) if (failing.size > maxWebhooks) failing.delete(each)
        if (isSuccess && !wasFailing) delivered++
        else void first.call('tried', { attempt, endpoint: { id, url } })
      },
      disabled: (endpoint, reason) => void first.call('disabled', { endpoint, reason }),
      failed: (error) => void first.call('failed', toSentError(error)),
    },
  })

  return {
    tick(current: number): void {
      version = current
      reportDelivered()
      void dispatcher.tick()
    },
    stats: () => dispatcher.stats(),
    failingSince: () => dispatcher.failingSince(),
    async stop(): Promise<void> {
      await dispatcher.stop()
      reportDelivered()
    },
  }
}
