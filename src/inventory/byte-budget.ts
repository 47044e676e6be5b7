import { type ByteLane, type Held, type LaneLimits, openByteLane } from './byte-lane.ts'
import type { WaitLimit } from './caller.ts'
import { callerLeft } from './errors.ts'

export interface BudgetLimits extends Omit<LaneLimits, 'maxBytes'> {
  /**
   * In the order of their sizes. A reservation belongs to the first lane for so many bytes: large responses never keep
   * smaller ones waiting.
   */
  lanes: readonly { upToBytes: number; maxBytes: number }[]
  /** How long a request may wait, for its turns to read and for memory together. */
  maxWaitMs: number
}

/** In bytes. Smaller responses need no reservation and never wait. */
export const maxSmallResponse = 16 * 1024
const mebibyte = 1024 ** 2

const defaultBudgetLimits: BudgetLimits = {
  lanes: [
    { upToBytes: mebibyte, maxBytes: 24 * mebibyte },
    // The largest page, 100 names of 64 KiB, takes 52 MiB while it is made.
    { upToBytes: Infinity, maxBytes: 120 * mebibyte },
  ],
  maxWaiting: 1_000,
  maxWaitMs: 5_000,
  maxPatienceMs: 2_000,
}

/** The bytes that are in memory for one request. */
export interface Reservation {
  readonly bytes: number
  readonly waiting: WaitLimit
  /** Resizes it at once. False if it would have to wait: nothing has changed. It keeps its lane until it is empty. */
  tryResize(bytes: number): boolean
  /**
   * Resizes it when its turn has come. What was reserved is given back first, so that nobody waits for somebody who
   * waits. Rejects as `unavailable` if it has waited long enough, or if too many wait, and by `callerLeft` after its end.
   */
  resize(bytes: number): Promise<void>
  /** Counts what is in memory already, whether there is room or not. */
  force(bytes: number): void
  /** Its response is being sent from now on. `cut` ends that. */
  startSending(cut: () => void): void
  /** Gives everything back. It can be called again. */
  end(): void
}

/** One budget for everything that is made for clients. Owners, which are keys, take turns. */
export interface ByteBudget {
  open(owner: string): Reservation
  /** Cuts slow responses of owners above their share, if another one waits for long. Called from time to time. */
  cutSlow(): void
  stats(): BudgetStats
}

export interface BudgetStats {
  /** Reserved. */
  bytes: number
  /** Requests that wait for bytes. */
  waiting: number
  /** Requests that were refused after such a wait, or because too many waited. */
  refused: number
}

export function openByteBudget(options: Partial<BudgetLimits> = {}, now = () => performance.now()): ByteBudget {
  const { lanes: sizes, maxWaitMs, ...limits } = { ...defaultBudgetLimits, ...options }
  const lanes = sizes.map(({ upToBytes, maxBytes }) => ({
    upToBytes,
    lane: openByteLane({ ...limits, maxBytes }, now),
  }))
  const laneFor = (bytes: number) => lanes.find(({ upToBytes }) => bytes <= upToBytes)?.lane as ByteLane

  return {
    open: (owner) => openReservation({ owner, waiting: { leftMs: maxWaitMs } }, laneFor, now),
    cutSlow() {
      for (const { lane } of lanes) lane.cutSlow()
    },
    stats() {
      const total = { bytes: 0, waiting: 0, refused: 0 }
      for (const { lane } of lanes) {
        const { bytes, waiting, refused } = lane.stats()
        total.bytes += bytes
        total.waiting += waiting
        total.refused += refused
      }
      return total
    },
  }
}

function openReservation(
  own: Pick<Held, 'owner' | 'waiting'>,
  laneFor: (bytes: number) => ByteLane,
  now: () => number,
): Reservation {
  const held: Held = { ...own, bytes: 0, sendingSince: undefined, cut: () => undefined }
  let lane: ByteLane | undefined
  let hasEnded = false

  function set(own: ByteLane | undefined, bytes: number): void {
    own?.set(held, bytes)
    lane = bytes === 0 ? undefined : own
  }

  function tryResize(bytes: number): boolean {
    const own = lane ?? laneFor(bytes)
    if (bytes > held.bytes && !own.hasRoom(held, bytes)) return false
    set(own, bytes)
    return true
  }

  return {
    get bytes() {
      return held.bytes
    },
    waiting: held.waiting,
    tryResize: (bytes) => hasEnded || tryResize(bytes),
    async resize(bytes) {
      if (hasEnded) throw callerLeft()
      if (tryResize(bytes)) return
      set(lane, 0)
      lane = laneFor(bytes)
      await lane.wait(held, bytes)
    },
    force(bytes) {
      if (!hasEnded) set(lane ?? laneFor(bytes), bytes)
    },
    startSending(cut) {
      held.sendingSince = now()
      held.cut = cut
    },
    end() {
      if (hasEnded) return
      hasEnded = true
      lane?.leave(held)
      set(lane, 0)
    },
  }
}
