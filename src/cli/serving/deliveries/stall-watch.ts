import type { Deliveries, Stall } from '../../../inventory/deliveries.ts'

/** Knows whether deliveries stand still for a reason of ours. The only place that does, in every process. */
export interface StallWatch {
  /** Undefined while events are delivered, or nobody wants any. */
  find(): Promise<Stall | undefined>
  /** From now on, this is asked first: what the thread or the process that delivers says of itself. */
  ask(source: () => Promise<Stall | undefined>): void
}

/** A failure that lasts shorter is no stall: a database restarts, or fails over. */
const minStallMs = 10_000

/** What is not known elsewhere is in the database: nobody has the lease. */
export function watchStall(deliveries: Pick<Deliveries, 'unattendedSince'>): StallWatch {
  let ask: () => Promise<Stall | undefined> = async () => undefined
  return {
    ask(source) {
      ask = source
    },
    async find() {
      const told = await ask().catch(() => undefined)
      if (told !== undefined && Date.now() - told.since >= minStallMs) return told
      const since = await deliveries.unattendedSince()
      return since === undefined ? undefined : { since, reason: 'unattended' }
    },
  }
}
