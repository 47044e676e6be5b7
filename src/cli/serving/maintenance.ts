import type { ApiKey } from '../../inventory/keys.ts'
import type { Clock } from '../../inventory/clock.ts'
import { tryRetentionMs } from '../../inventory/deliveries.ts'
import { forgetEvents as forgetOldEvents } from '../../inventory/forget-events.ts'
import type { Storage } from '../../inventory/storage.ts'

export interface MaintenanceOptions {
  storage: Pick<Storage, 'keys' | 'events' | 'webhooks' | 'invitations' | 'deliveries' | 'deleteExpiredResponses'>
  clock: Clock
  /** How long events are kept. */
  eventRetentionMs: number
  /** Called when a task fails. The task runs again at its next time. */
  report: (error: Error) => void
}

export interface Maintenance {
  /** Records the use of a key. */
  keyUsed(key: ApiKey, at: number): void
  /** Stops all tasks and stores the last-used times. The storage must still be open. */
  stop(): Promise<void>
}

const flushIntervalMs = 10_000
const forgetIntervalMs = 60_000

/** The periodic writes of a process. */
export function startMaintenance({ storage, clock, eventRetentionMs, report }: MaintenanceOptions): Maintenance {
  const { keys } = storage
  let lastUsed = new Map<string, number>()

  // In the background: a write with every read would make reads as slow as writes. A crash loses the last few seconds,
  // which do not matter for a last-used time.
  async function flushKeyUse(): Promise<void> {
    if (lastUsed.size === 0) return
    const noted = lastUsed
    lastUsed = new Map()
    await keys.touch(noted)
  }

  const stopping = new AbortController()
  const forgetEvents = deletion((now) => forgetOldEvents(storage, eventRetentionMs, now))
  const forgetTries = deletion((now) => storage.deliveries.forgetOld(now - tryRetentionMs))
  const forgetInvitations = deletion(() => storage.invitations.forget())
  const deleteExpiredResponses = deletion(() => storage.deleteExpiredResponses())

  // A limited number at a time, so that other writes run in between, until none is old enough. Many may take longer than
  // the interval.
  function deletion(deleteSome: (now: number) => Promise<number>) {
    let running: Promise<void> | undefined

    async function deleteAll(): Promise<void> {
      const now = clock()
      while (!stopping.signal.aborted && (await deleteSome(now)) > 0);
    }
    return {
      start: () =>
        void (running ??= deleteAll()
          .catch(report)
          .finally(() => (running = undefined))),
      ended: () => running,
    }
  }

  const timers = [
    setInterval(() => void flushKeyUse().catch(report), flushIntervalMs).unref(),
    setInterval(forgetEvents.start, forgetIntervalMs).unref(),
    setInterval(forgetTries.start, forgetIntervalMs).unref(),
    setInterval(forgetInvitations.start, forgetIntervalMs).unref(),
    setInterval(deleteExpiredResponses.start, forgetIntervalMs).unref(),
  ]

  return {
    keyUsed: ({ id }, at) => void lastUsed.set(id, at),
    async stop() {
      stopping.abort()
      for (const timer of timers) clearInterval(timer)
      for (const { ended } of [forgetEvents, forgetTries, forgetInvitations, deleteExpiredResponses]) await ended()
      await flushKeyUse().catch(report)
    },
  }
}
