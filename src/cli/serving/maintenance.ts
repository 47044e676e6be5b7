import type { ApiKey } from '../../inventory/keys.ts'
import type { Clock } from '../../inventory/clock.ts'
import { deletionsOf } from '../../inventory/delete-old-rows.ts'
import { collectKeyUses } from '../../inventory/key-uses.ts'
import type { Storage } from '../../inventory/storage.ts'

export interface MaintenanceOptions {
  storage: Pick<
    Storage,
    'keys' | 'events' | 'webhooks' | 'invitations' | 'imports' | 'deliveries' | 'deleteExpiredResponses'
  >
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
  const keyUses = collectKeyUses(storage.keys)
  const stopping = new AbortController()
  const deletions = deletionsOf(storage, eventRetentionMs).map((deleteSome) => {
    let running: Promise<void> | undefined

    async function deleteAll(): Promise<void> {
      const now = clock()
      while (!stopping.signal.aborted && (await deleteSome(now, now)) > 0);
    }
    return {
      // Many rows may take longer than the interval.
      start: () =>
        void (running ??= deleteAll()
          .catch(report)
          .finally(() => (running = undefined))),
      ended: () => running,
    }
  })

  const timers = [
    setInterval(() => void keyUses.store().catch(report), flushIntervalMs).unref(),
    ...deletions.map(({ start }) => setInterval(start, forgetIntervalMs).unref()),
  ]

  return {
    keyUsed: keyUses.note,
    async stop() {
      stopping.abort()
      for (const timer of timers) clearInterval(timer)
      for (const { ended } of deletions) await ended()
      await keyUses.store().catch(report)
    },
  }
}
