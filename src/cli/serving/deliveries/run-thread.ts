import { setPriority } from 'node:os'
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import type { NewDeliveryTry } from '../../../inventory/deliveries.ts'
import { type Endpoint, maxWebhooks } from '../../../inventory/webhooks.ts'
import { startDispatcher } from '../../../webhooks/dispatcher.ts'
import { isDelivered } from '../../../webhooks/send.ts'
import { connectCalls } from '../processes/ipc.ts'
import { remoteStorage, type SentError, type StorageReply, toSentError } from './storage-calls.ts'

/** What the thread is started with. */
export interface DeliveryThreadData {
  /** The same for every thread of a process, so that the next one need not wait for the end of the lease. */
  holder: string
  source: string
  allowPrivate: boolean
  leaseMs: number
}

/** What the thread reports, by the name of the call. */
export interface ThreadReports {
  /** A try that failed, or the first success after failures. The others are only counted: there may be thousands a second. */
  tried: { attempt: NewDeliveryTry; endpoint: Pick<Endpoint, 'id' | 'url'> }
  /** So many other tries have succeeded. */
  delivered: number
  disabled: { endpoint: Endpoint; reason: 'gone' | 'failed' }
  failed: SentError
}

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
export function runDeliveryThread(): void {
  const { holder, source, allowPrivate, leaseMs } = workerData as DeliveryThreadData
  const port = parentPort as MessagePort
  lowerPriority()
  /** Webhooks whose last try failed. A changed one begins anew: then the success after it is the first try of an event. */
  const failing = new Set<bigint>()
  let version = Number.NaN
  let delivered = 0

  function reportDelivered(): void {
    if (delivered > 0) report('delivered', delivered)
    delivered = 0
  }

  const first = connectCalls(
    { send: (message) => port.postMessage(message), on: (event, listener) => port.on(event, listener) },
    {
      async tick(current: number) {
        version = current
        reportDelivered()
        void dispatcher.tick()
      },
      stats: async () => dispatcher.stats(),
      async stop() {
        await dispatcher.stop()
        reportDelivered()
      },
    },
  )

  function report<Name extends keyof ThreadReports>(name: Name, value: ThreadReports[Name]): void {
    void first.call(name, value)
  }

  const dispatcher = startDispatcher({
    storage: remoteStorage(
      (call) => first.call<StorageReply>('storage', call),
      () => version,
    ),
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
        else report('tried', { attempt, endpoint: { id, url } })
      },
      disabled: (endpoint, reason) => report('disabled', { endpoint, reason }),
      failed: (error) => report('failed', toSentError(error)),
    },
  })
}
