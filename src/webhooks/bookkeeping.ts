import type { DeliveryLease, DeliveryPosition, NewDeliveryTry } from '../inventory/deliveries.ts'
import type { DispatcherStorage } from './dispatcher-storage.ts'

/** What a leading process has to store: positions and tries, at most once a second, and that it still leads. */
export interface Bookkeeping {
  /** Whether this process may send: it has the lease for some time yet. */
  canSend(): boolean
  /** Stores this position soon. A later one of the same webhook replaces it. */
  move(position: DeliveryPosition): void
  logTry(attempt: NewDeliveryTry): void
  /** Since when nothing could be stored; real time. */
  readonly failingSince: number | undefined
  /** Stores nothing more. The lease ends by itself, or is taken again by this process. */
  abandon(): void
  /** Stores everything and gives the lease back, as far as the storage allows. */
  end(): Promise<void>
}

export interface BookkeepingOptions {
  deliveries: Pick<DispatcherStorage['deliveries'], 'renew' | 'release' | 'record'>
  lease: DeliveryLease
  leaseMs: number
  /** The lineage of the positions. */
  lineage: () => string | undefined
  /** Called once if another process has the lease, or the database another history: nothing that was not stored counts. */
  lost: () => void
  /** Called after the lease was extended or stored tries made room, so that sending can go on. */
  mayGoOn: () => void
  report: (error: Error) => void
}

const flushIntervalMs = 1_000
/** With more tries in memory nothing is sent until they are stored. */
const maxUnstoredTries = 5_000
/** For one transaction, so that writes of the shop do not wait long. */
const maxRowsPerRecord = 50

export function startBookkeeping(options: BookkeepingOptions): Bookkeeping {
  const { deliveries, lease, leaseMs, lineage, lost, mayGoOn, report } = options
  const positions = new Map<bigint, DeliveryPosition>()
  let tries: NewDeliveryTry[] = []
  let extendedAt = { monotonic: performance.now(), wall: Date.now() }
  let flushedAt = Number.NEGATIVE_INFINITY
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> | undefined
  let isOver = false
  let failingSince: number | undefined
  const renewal = setInterval(() => void (writing ??= run(renew)), leaseMs / 3).unref()

  /** By both clocks: one stands still while a machine is suspended, somebody may set the other. */
  function hasLease(): boolean {
    const safeMs = leaseMs * 0.9
    return performance.now() - extendedAt.monotonic < safeMs && Math.abs(Date.now() - extendedAt.wall) < safeMs
  }

  /** A flush that is still to come finds nothing to store. */
  function stop(): void {
    isOver = true
    clearInterval(renewal)
  }

  /** Measured from the call, not from the result. */
  async function extend(call: () => Promise<boolean>): Promise<void> {
    const calledAt = { monotonic: performance.now(), wall: Date.now() }
    if (await call()) extendedAt = calledAt
    else if (!isOver) {
      stop()
      lost()
    }
  }

  const hasUnstored = () => !isOver && positions.size + tries.length > 0
  const renew = () => extend(() => deliveries.renew(lease, leaseMs))

  /** Stores what there is now. What is added meanwhile waits for the next time. */
  async function flush(): Promise<void> {
    flushedAt = performance.now()
    const records = Math.ceil(Math.max(positions.size, tries.length) / maxRowsPerRecord)
    for (let stored = 0; stored < records && hasUnstored(); stored++) {
      const moved = [...positions.values()].slice(0, maxRowsPerRecord)
      const logged = tries.slice(0, maxRowsPerRecord)
      const record = { positions: moved, tries: logged, lineage: lineage() }
      await extend(() => deliveries.record(lease, leaseMs, record))
      tries = tries.slice(logged.length)
      for (const each of moved) if (positions.get(each.webhookId) === each) positions.delete(each.webhookId)
    }
  }

  async function run(work: () => Promise<void>): Promise<void> {
    try {
      await work()
      failingSince = undefined
    } catch (error) {
      failingSince ??= Date.now()
      report(error as Error)
    } finally {
      writing = undefined
    }
    if (isOver) return
    if (hasUnstored()) flushSoon()
    mayGoOn()
  }

  function flushSoon(): void {
    if (timer !== undefined) return
    const delayMs = Math.max(flushedAt + flushIntervalMs - performance.now(), 0)
    timer = setTimeout(() => {
      timer = undefined
      writing ??= run(flush)
    }, delayMs).unref()
  }

  return {
    get failingSince() {
      return failingSince
    },
    canSend: () => !isOver && hasLease() && tries.length < maxUnstoredTries,
    move(position) {
      positions.set(position.webhookId, position)
      flushSoon()
    },
    logTry(attempt) {
      tries.push(attempt)
      flushSoon()
    },
    abandon: stop,
    async end() {
      await writing
      clearTimeout(timer)
      clearInterval(renewal)
      await flush().catch(report)
      if (isOver) return
      stop()
      await deliveries.release(lease).catch(report)
    },
  }
}
