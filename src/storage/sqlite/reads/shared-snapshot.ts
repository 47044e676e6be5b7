import type { DatabaseSync } from 'node:sqlite'

/**
 * One snapshot for the reads of a tick of the event loop. Each read alone would take and release a lock, which costs as
 * much as finding an animal.
 */
export interface SharedSnapshot {
  /** Begins a snapshot of what is committed now. It ends with this tick. */
  begin(): void
  /**
   * Runs a read at the end of this tick, together with the others. Between the parsing of one request and the next, each
   * would find the caches of the CPU cold: one animal takes 115 µs of a server under load, together with others 72.
   */
  readAtEndOfTick: ReadAtEndOfTick
  /** Runs the reads that wait, before the connection is closed. */
  finish(): void
  /** Ends the snapshot when `work` of another thread or process settles: later reads must see what that work saw. */
  endAfter<Result>(work: Promise<Result>): Promise<Result>
}

export type ReadAtEndOfTick = <Result>(read: () => Result | Promise<Result>) => Promise<Result>

/** For a connection whose reads see one state anyway. */
export const readNow: ReadAtEndOfTick = async (read) => read()

/** All results of one step are in memory at a time, and no byte of them is sent before its end. */
const maxReadsPerStep = 64
/** Pages of large animals would take seconds and hundreds of megabytes. */
const maxStepMs = 5

export function sharedSnapshot(reader: DatabaseSync): SharedSnapshot {
  const begin = reader.prepare('BEGIN')
  // COMMIT fails after a read of a damaged page.
  const rollback = reader.prepare('ROLLBACK')
  const waiting: (() => void)[] = []
  let isScheduled = false

  function end(): void {
    // A read that failed may have ended the transaction.
    if (reader.isOpen && reader.isTransaction) rollback.run()
  }

  /** Requests are answered together, so their reads are asked for in one callback of the event loop. */
  function schedule(): void {
    if (!isScheduled) process.nextTick(finishTick)
    isScheduled = true
  }

  function finishTick(): void {
    isScheduled = false
    // The snapshot of the tick may have ended: after a commit, or with the step before.
    if (waiting.length > 0 && reader.isOpen && !reader.isTransaction) begin.run()
    const endAt = performance.now() + maxStepMs
    for (let count = 0; count < maxReadsPerStep && waiting.length > 0; count++) {
      waiting.shift()?.()
      if (performance.now() > endAt) break
    }
    end()
    if (waiting.length === 0) return
    isScheduled = true
    setImmediate(finishTick)
  }

  return {
    begin() {
      end()
      begin.run()
      schedule()
    },
    readAtEndOfTick: (read) =>
      new Promise((resolve, reject) => {
        waiting.push(() => {
          try {
            resolve(read())
          } catch (error) {
            reject(error)
          }
        })
        schedule()
      }),
    finish() {
      while (waiting.length > 0) finishTick()
    },
    endAfter: (work) => work.finally(end),
  }
}
