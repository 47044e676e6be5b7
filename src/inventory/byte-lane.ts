import type { WaitLimit } from './caller.ts'
import { callerLeft, unavailable } from './errors.ts'
import { nextLoopTick } from './loop-steps.ts'

export interface LaneLimits {
  /** All reservations together. A larger one passes when it is alone. */
  maxBytes: number
  maxWaiting: number
  /** After so long a wait, responses that take as long to send are cut, if their owner has more than its share. */
  maxPatienceMs: number
}

/** What one request holds. */
export interface Held {
  readonly owner: string
  readonly waiting: WaitLimit
  bytes: number
  /** Since when its response is being sent. */
  sendingSince: number | undefined
  /** Ends the response. */
  cut(): void
}

interface Waiter {
  held: Held
  bytes: number
  since: number
  /** When it has waited long enough. */
  until: number
  start(): void
  refuse(error: Error): void
}

/** Waiters that are refused in one tick of the event loop: each costs some tenths of a millisecond. */
const maxRefusedPerTick = 16

export type ByteLane = ReturnType<typeof openByteLane>

/** A part of a budget of bytes. Owners take turns, and each has a share while others wait. */
export function openByteLane(limits: LaneLimits, now: () => number) {
  const { maxBytes, maxWaiting, maxPatienceMs } = limits
  const all = new Set<Held>()
  const bytesOf = new Map<string, number>()
  /** By owner, in the order of their turns. */
  const queues = new Map<string, Waiter[]>()
  /** In the order of their arrival. */
  const waiters = new Map<Held, Waiter>()
  let bytes = 0
  let nextTurn: Promise<void> | undefined
  let expiry: NodeJS.Timeout | undefined
  let expiresAt = Infinity
  let refused = 0

  /** Equal parts for all owners that hold something or wait for it. */
  function share(): number {
    let owners = bytesOf.size
    for (const owner of queues.keys()) if (!bytesOf.has(owner)) owners++
    return maxBytes / Math.max(owners, 1)
  }

  function isWithinShare({ held: { owner }, bytes: more }: Waiter): boolean {
    const own = bytesOf.get(owner) ?? 0
    return own === 0 || own + more <= share()
  }

  const fits = (more: number) => bytes === 0 || bytes + more <= maxBytes

  function set(held: Held, size: number): void {
    // Sums of fractions might not return to exactly 0.
    const whole = Math.ceil(size)
    const growth = whole - held.bytes
    held.bytes = whole
    if (whole === 0) all.delete(held)
    else all.add(held)
    bytes += growth
    const own = (bytesOf.get(held.owner) ?? 0) + growth
    if (own === 0) bytesOf.delete(held.owner)
    else bytesOf.set(held.owner, own)
    if (growth < 0) scheduleTurns()
  }

  function scheduleTurns(): void {
    if (waiters.size > 0) nextTurn ??= nextLoopTick().then(takeTurn)
  }

  /** Strictly in turn, so that a large request is not overtaken for ever. One in a tick: it reads some rows at once. */
  function takeTurn(): void {
    nextTurn = undefined
    const next = nextWaiter()
    if (next === undefined || !fits(next.bytes)) return
    remove(next)
    moveToEnd(next.held.owner)
    set(next.held, next.bytes)
    next.start()
    scheduleTurns()
  }

  /** An owner above its share is passed over, unless all are. */
  function nextWaiter(): Waiter | undefined {
    let first: Waiter | undefined
    for (const [waiter] of queues.values()) {
      if (waiter !== undefined && isWithinShare(waiter)) return waiter
      first ??= waiter
    }
    return first
  }

  /** The owner's next turn comes after those of the others. */
  function moveToEnd(owner: string): void {
    const queue = queues.get(owner)
    if (queue === undefined) return
    queues.delete(owner)
    queues.set(owner, queue)
  }

  function remove({ held, since }: Waiter): void {
    held.waiting.leftMs -= now() - since
    const queue = queues.get(held.owner) ?? []
    queue.splice(
      queue.findIndex((each) => each.held === held),
      1,
    )
    if (queue.length === 0) queues.delete(held.owner)
    waiters.delete(held)
    if (waiters.size === 0) expireAt(Infinity)
  }

  function refuseLate(): void {
    const late = waiters.values().filter(({ until }) => until <= now())
    for (const waiter of late.take(maxRefusedPerTick)) refuse(waiter)
    expireAt(Math.min(...waiters.values().map(({ until }) => until)))
    // One that is gone may have kept others waiting.
    scheduleTurns()
  }

  function expireAt(time: number): void {
    clearTimeout(expiry)
    expiresAt = time
    if (time !== Infinity) expiry = setTimeout(refuseLate, Math.max(time - now() + 1, 1)).unref()
  }

  function refuse(waiter: Waiter): void {
    remove(waiter)
    refused++
    waiter.refuse(unavailable('The service holds too much in memory for its clients; try again.'))
  }

  /** Refuses the newest waiter of the owner with the most, if that is another one: nobody can fill the queue alone. */
  function makeRoom(owner: string): boolean {
    let longest: Waiter[] = []
    for (const queue of queues.values()) if (queue.length > longest.length) longest = queue
    const last = longest.at(-1)
    if (last === undefined || longest.length <= (queues.get(owner)?.length ?? 0) + 1) return false
    refuse(last)
    return true
  }

  return {
    set,

    /** Whether it may grow at once. */
    hasRoom: (held: Held, size: number): boolean =>
      queues.size === 0 && (bytes === held.bytes || fits(size - held.bytes)),

    /** Resolves when it holds so many bytes. It holds nothing meanwhile. */
    wait(held: Held, size: number): Promise<void> {
      if (waiters.size >= maxWaiting && !makeRoom(held.owner)) {
        refused++
        return Promise.reject(unavailable('Too many large responses are being waited for; try again.'))
      }
      return new Promise((start, refuse) => {
        const since = now()
        const waiter: Waiter = { held, bytes: size, since, until: since + held.waiting.leftMs, start, refuse }
        const queue = queues.get(held.owner)
        if (queue === undefined) queues.set(held.owner, [waiter])
        else queue.push(waiter)
        waiters.set(held, waiter)
        if (waiter.until < expiresAt) expireAt(waiter.until)
        scheduleTurns()
      })
    },

    /** It waits no longer. */
    leave(held: Held): void {
      const waiter = waiters.get(held)
      if (waiter === undefined) return
      remove(waiter)
      waiter.refuse(callerLeft())
      scheduleTurns()
    },

    /** Cuts responses that take long, for an owner that has waited long; those of owners above their share. */
    cutSlow(): void {
      const next = nextWaiter()
      const latest = now() - maxPatienceMs
      if (next === undefined || next.since > latest) return
      const startOf = ({ sendingSince = Infinity }: Held) => sendingSince
      const longestFirst = [...all].filter((held) => startOf(held) <= latest)
      for (const held of longestFirst.toSorted((one, other) => startOf(one) - startOf(other))) {
        if (fits(next.bytes)) return
        if (held.owner === next.held.owner || (bytesOf.get(held.owner) ?? 0) <= share()) continue
        set(held, 0)
        held.cut()
      }
    },

    stats: () => ({ bytes, waiting: waiters.size, refused }),
  }
}
