import type { Clock } from '../inventory/clock.ts'
import type { EndpointState } from './endpoint-state.ts'

/** One timer for all endpoints that wait for their next try. */
export interface RetryTimer {
  /** Sets it anew, after an endpoint began to wait. */
  set(): void
  stop(): void
}

/** A timer waits no longer than this, in case somebody sets the clock. */
const maxTimerMs = 60_000

export function retryTimer(states: ReadonlyMap<bigint, EndpointState>, clock: Clock, retry: () => void): RetryTimer {
  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  return {
    set() {
      clearTimeout(timer)
      let next = Number.POSITIVE_INFINITY
      for (const { phase, nextAttemptAt = 0 } of states.values()) {
        if (phase === 'waiting' && nextAttemptAt < next) next = nextAttemptAt
      }
      if (isStopped || next === Number.POSITIVE_INFINITY) return
      timer = setTimeout(retry, Math.min(Math.max(next - clock(), 0), maxTimerMs)).unref()
    },
    stop() {
      isStopped = true
      clearTimeout(timer)
    },
  }
}
