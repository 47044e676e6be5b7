import type { Caller } from '../../../inventory/caller.ts'
import { callerLeft, unavailable } from '../../../inventory/errors.ts'

/** Work that waits, of one caller and of all. Beyond that the service is overloaded. */
export interface MaxWaiting {
  ofCaller: number
  all: number
}
const defaultMaxWaiting: MaxWaiting = { ofCaller: 100, all: 1_000 }

/** Runs short pieces of work, at most some at a time. Callers take turns, so none waits for all the work of another. */
export interface FairQueue {
  /**
   * Resolves to the result of `work`. Rejects as `unavailable` if too much work is waiting, and by `callerLeft` if the
   * caller has left before its turn.
   */
  run<Result>(caller: Pick<Caller, 'id' | 'signal'> | undefined, work: () => Promise<Result>): Promise<Result>
}

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

  function enqueue(id: string, work: Waiting): void {
    const queue = queues.get(id) ?? []
    if (waiting >= maxWaiting.all || queue.length >= maxWaiting.ofCaller)
      throw unavailable('Too many searches are waiting.')
    queue.push(work)
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
    async run<Result>(caller: Pick<Caller, 'id' | 'signal'> | undefined, work: () => Promise<Result>) {
      if (caller?.signal.aborted) throw callerLeft()
      const { promise, resolve, reject } = Promise.withResolvers<Result>()
      const id = caller?.id ?? ''
      const entry: Waiting = {
        start() {
          running++
          caller?.signal.removeEventListener('abort', leave)
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
      const leave = (): void => {
        if (dequeue(id, entry)) reject(callerLeft())
      }
      enqueue(id, entry)
      caller?.signal.addEventListener('abort', leave)
      startNext()
      return promise
    },
  }
}
