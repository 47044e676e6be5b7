import type { Caller } from './caller.ts'
import { callerLeft, unavailable } from './errors.ts'

/**
 * Work that waits, of one caller and of all, and how long, if its caller has no limit. Beyond that the service is
 * overloaded.
 */
export interface MaxWaiting {
  ofCaller: number
  all: number
  ms: number
}
const defaultMaxWaiting: MaxWaiting = { ofCaller: 100, all: 1_000, ms: 5_000 }

/** Runs short pieces of work, at most some at a time. Callers take turns, so none waits for all the work of another. */
export interface FairQueue {
  /**
   * Resolves to the result of `work`. Rejects as `unavailable` if too much work is waiting, or this for too long, and by
   * `callerLeft` if the caller has left before its turn. `isNext`: before other work of the same caller.
   */
  run<Result>(caller: QueueCaller | undefined, work: () => Promise<Result>, isNext?: boolean): Promise<Result>
}

type QueueCaller = Pick<Caller, 'id' | 'signal' | 'waiting'>

interface Waiting {
  start(): void
}

export function openFairQueue(maxRunning: number, maxWaiting = defaultMaxWaiting): FairQueue {
  /** By caller, in the order of their turns. */
  const queues = new Map<string, Waiting[]>()
  let waiting = 0
  let running = 0

  function startNext(): void {
    for (const [id, queue] of queues) {
      if (running >= maxRunning) return
      const next = queue.shift()
      queues.delete(id)
      if (queue.length > 0) queues.set(id, queue)
      waiting--
      next?.start()
    }
  }

  function enqueue(id: string, work: Waiting, isNext: boolean): void {
    const queue = queues.get(id) ?? []
    if (waiting >= maxWaiting.all || queue.length >= maxWaiting.ofCaller)
      throw unavailable('Too many searches are waiting.')
    if (isNext) queue.unshift(work)
    else queue.push(work)
    queues.set(id, queue)
    waiting++
  }

  /** Whether it was still waiting. */
  function dequeue(id: string, work: Waiting): boolean {
    const queue = queues.get(id) ?? []
    const index = queue.indexOf(work)
    if (index === -1) return false
    queue.splice(index, 1)
    if (queue.length === 0) queues.delete(id)
    waiting--
    return true
  }

  return {
    async run<Result>(caller: QueueCaller | undefined, work: () => Promise<Result>, isNext = false) {
      if (caller?.signal.aborted) throw callerLeft()
      const { promise, resolve, reject } = Promise.withResolvers<Result>()
      const id = caller?.id ?? ''
      const entry: Waiting = {
        start() {
          running++
          stopWaiting()
          // In a promise, so that an error of `work` itself is a rejection too.
          resolve(
            Promise.resolve()
              .then(work)
              .finally(() => {
                running--
                startNext()
              }),
          )
        },
      }
      let stopWaiting = () => {}
      const giveUp = (error: Error): void => {
        stopWaiting()
        if (dequeue(id, entry)) reject(error)
      }

      function wait(): void {
        const since = performance.now()
        const limit = caller?.waiting ?? { leftMs: maxWaiting.ms }
        const late = () => giveUp(unavailable('Too many reads are waiting; try again.'))
        const timer = setTimeout(late, Math.max(limit.leftMs, 0)).unref()
        const leave = () => giveUp(callerLeft())
        caller?.signal.addEventListener('abort', leave)
        stopWaiting = () => {
          clearTimeout(timer)
          caller?.signal.removeEventListener('abort', leave)
          limit.leftMs -= performance.now() - since
        }
      }

      enqueue(id, entry, isNext)
      startNext()
      if (queues.get(id)?.includes(entry)) wait()
      return promise
    },
  }
}
