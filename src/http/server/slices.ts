import { arrivalCount } from '../../inventory/loop-steps.ts'

/** How long such work may take in one tick of the event loop. */
const maxSliceMs = 3
/** The same with what comes of it in the same tick, when its promises resolve. After a longer one the next has less work. */
const maxTickMs = 20
/** How many connections come first, if they arrive. */
const maxArrivals = 32

export interface SlicesOptions<Item> {
  perform: (item: Item) => void
  /** Owners take turns when there is more work than one tick has time for. Default: one owner. */
  ownerOf?: (item: Item) => string
  /** Called before the works of each tick. */
  begin?: () => void
  /** Whether works wait for some ticks while connections arrive: whoever is not accepted cannot get a turn. */
  yieldsToArrivals?: () => boolean
}

/**
 * Performs short works, a few milliseconds of them in each tick of the event loop: what thousands of connections need at
 * the same moment, such as a refusal, must not keep others waiting. Those of one owner are performed in their order.
 */
export function slices<Item>(options: SlicesOptions<Item>): (item: Item) => void {
  const { perform, ownerOf = () => '', begin, yieldsToArrivals = () => false } = options
  /** In the order of their arrival. */
  let arrived: Item[] = []
  /** What the ticks before had no time for, by owner, in the order of their turns. */
  const left = new Map<string, Item[]>()
  let isScheduled = false
  let seenArrivals = 0
  let yielded = 0
  /** In a tick. */
  let maxWorks = Infinity
  let works = 0

  function run(): void {
    if (mustYield()) return void setImmediate(run)
    begin?.()
    const startedAt = performance.now()
    works = 0
    queueMicrotask(() => process.nextTick(() => process.nextTick(adapt, startedAt)))
    try {
      if (left.size === 0) performArrived(startedAt)
      else performInTurn(startedAt)
    } finally {
      isScheduled = arrived.length + left.size > 0
      if (isScheduled) setImmediate(run)
    }
  }

  /** Whether there is time for one more in this tick. */
  function hasTime(startedAt: number): boolean {
    const isOver = works >= maxWorks || performance.now() >= startedAt + maxSliceMs
    if (!isOver) works++
    return !isOver
  }

  /** Called when the promises have resolved, and what they have left for the end of the tick is done. */
  function adapt(startedAt: number): void {
    const tookMs = performance.now() - startedAt
    if (tookMs < maxTickMs) maxWorks *= 2
    else maxWorks = Math.max(1, Math.floor((works * maxTickMs) / tookMs / 2))
  }

  /** A tick accepts one connection. If each had a slice of long works, too, hundreds of clients would wait for seconds. */
  function mustYield(): boolean {
    const arrivals = arrivalCount()
    const hasNew = arrivals !== seenArrivals
    seenArrivals = arrivals
    yielded = hasNew && yielded < maxArrivals && yieldsToArrivals() ? yielded + 1 : 0
    return yielded > 0
  }

  /** In most ticks there is time for all. */
  function performArrived(startedAt: number): void {
    let next = 0
    try {
      while (next < arrived.length && hasTime(startedAt)) perform(arrived[next++] as Item)
    } finally {
      // In each tick: under load others always wait, and each work holds a request and its response.
      const rest = arrived.slice(next)
      arrived = []
      rest.forEach(wait)
    }
  }

  function performInTurn(startedAt: number): void {
    arrived.forEach(wait)
    arrived = []
    for (const [owner, items] of left) {
      if (!hasTime(startedAt)) return
      // Its next turn comes after those of the others.
      left.delete(owner)
      const item = items.shift() as Item
      if (items.length > 0) left.set(owner, items)
      perform(item)
    }
  }

  function wait(item: Item): void {
    const owner = ownerOf(item)
    const items = left.get(owner)
    if (items === undefined) left.set(owner, [item])
    else items.push(item)
  }

  return (item) => {
    arrived.push(item)
    if (!isScheduled) setImmediate(run)
    isScheduled = true
  }
}
