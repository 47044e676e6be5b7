import type { NewDeliveryTry } from '../../../inventory/deliveries.ts'
import type { SessionStats } from '../../../inventory/storage-stats.ts'
import { type Endpoint, maxWebhooks, type Webhooks } from '../../../inventory/webhooks.ts'
import type { DeliveryStorage } from '../../../storage/shared/ports/delivery-storage.ts'
import type { Calls } from '../../../threads/calls.ts'
import type { DeliveryLimits } from '../../../webhooks/delivery-slots.ts'
import { type Dispatcher, type DispatcherStats, startDispatcher } from '../../../webhooks/dispatcher.ts'
import { isDelivered } from '../../../webhooks/send-result.ts'
import { type SentError, toSentError } from './sent-error.ts'

export interface DeliveryOptions {
  /** The same for every thread of a process, so that the next one need not wait for the end of the lease. */
  holder: string
  source: string
  allowPrivate: boolean
  leaseMs: number
  /** How often to look for new events. */
  pollMs: number
  /** How many deliveries run at once. */
  limits?: DeliveryLimits | undefined
}

/** What deliveries call of the one who started them. */
export type StarterFunctions = {
  /** A change of the shop, which its writer stores. */
  disable(input: Parameters<Webhooks['disable']>): Promise<boolean>
  /** A try that failed, or the first success after failures. The others are only counted: there may be thousands a second. */
  tried(report: { attempt: NewDeliveryTry; endpoint: Pick<Endpoint, 'id' | 'url'> }): void
  disabled(report: { endpoint: Endpoint; reason: 'gone' | 'failed' }): void
  failed(error: SentError): void
}

export interface DeliveriesParts {
  first: Pick<Calls<StarterFunctions>, 'call'>
  open: () => Promise<DeliveryStorage>
  /** Whether this thread serves nobody else. */
  hasOwnThread: boolean
}

export interface DeliveryStats {
  /** Undefined while another process delivers. */
  dispatcher: DispatcherStats | undefined
  sessions: SessionStats[]
}

export type DeliveryFunctions = ReturnType<typeof runDeliveries>

/** Opens the storage, as often as that fails, and delivers events. */
export function runDeliveries(
  { holder, source, allowPrivate, leaseMs, pollMs, limits }: DeliveryOptions,
  { first, open, hasOwnThread }: DeliveriesParts,
) {
  /** Webhooks whose last try failed. A changed one begins anew: then the success after it is the first try of an event. */
  const failing = new Set<bigint>()
  let delivered = 0
  let storage: DeliveryStorage | undefined
  let dispatcher: Dispatcher | undefined
  let starting: Promise<void> | undefined
  let failingSince: number | undefined

  async function start(): Promise<void> {
    storage = await open()
    const { webhooks } = storage
    dispatcher = startDispatcher({
      storage: {
        ...storage,
        webhooks: { enabled: webhooks.enabled, disable: (...input) => first.call('disable', input) },
      },
      holder,
      source,
      addresses: { allowPrivate },
      leaseMs,
      limits,
      hasOwnThread,
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
        failed: report,
      },
    })
  }

  function report(error: Error): void {
    void first.call('failed', toSentError(error))
  }

  async function look(): Promise<void> {
    try {
      if (dispatcher === undefined) await (starting ??= start().finally(() => (starting = undefined)))
      failingSince = undefined
    } catch (error) {
      failingSince ??= Date.now()
      return report(error as Error)
    }
    void dispatcher?.tick()
  }

  function takeDelivered(): number {
    const count = delivered
    delivered = 0
    return count
  }

  const timer = setInterval(() => void look(), pollMs).unref()
  void look()

  return {
    /** How many tries have succeeded that `tried` was not told of. */
    takeDelivered,
    stats: (): DeliveryStats => ({ dispatcher: dispatcher?.stats(), sessions: storage?.sessions() ?? [] }),
    failingSince: () => failingSince ?? dispatcher?.failingSince(),
    /** Resolves to what `takeDelivered` would. */
    async stop(): Promise<number> {
      clearInterval(timer)
      await starting?.catch(() => undefined)
      await dispatcher?.stop()
      await storage?.close()
      return takeDelivered()
    },
  }
}
