export interface HeartbeatLimits {
  intervalMs: number
  /** How many intervals in a row may pass without an answer. */
  maxMissed: number
}

/**
 * A minute. A worker on a busy machine answers late, but it answers: no step of its event loop takes longer than some
 * milliseconds.
 */
export const defaultHeartbeat: HeartbeatLimits = { intervalMs: 5_000, maxMissed: 12 }

/**
 * Asks a process from time to time, and calls `hung` once it has not answered for too long. Returns a function that ends
 * this. The limit is a number of intervals, not a time: after a pause of this process, or of the whole machine, an
 * answer may be late by any time.
 */
export function watchHeartbeat(
  ask: () => Promise<unknown>,
  hung: () => void,
  { intervalMs, maxMissed }: HeartbeatLimits,
): () => void {
  let isWaiting = false
  let missed = 0
  const timer = setInterval(() => {
    if (!isWaiting) {
      isWaiting = true
      missed = 0
      const answered = () => {
        isWaiting = false
      }
      // A channel that is closed answers no more, and the process ends: 'exit' reports it.
      ask().then(answered, answered)
      return
    }
    missed++
    if (missed < maxMissed) return
    clearInterval(timer)
    hung()
  }, intervalMs).unref()
  return () => clearInterval(timer)
}
