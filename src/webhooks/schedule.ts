const minute = 60_000
const hour = 60 * minute
const delaysMs = [5_000, 30_000, 5 * minute, 30 * minute]
/** So that endpoints that failed together are not tried together. */
const jitter = 0.2
const giveUpAfterMs = 3 * 24 * hour

/** When an event is tried again after its `attempts`-th failure. */
export function nextAttemptAt(attempts: number, now: number, random: () => number = Math.random): number {
  const delayMs = delaysMs[attempts - 1] ?? hour
  return Math.round(now + delayMs * (1 + jitter * random()))
}

/** Whether it is time for a try. None is planned further ahead than the longest delay, unless somebody set the clock back. */
export function isDue(attemptAt: number, now: number): boolean {
  return attemptAt <= now || attemptAt - now > hour * (1 + jitter)
}

/** Whether an event that failed first at `failingSince` is not tried again. */
export function isHopeless(failingSince: number, now: number): boolean {
  return now - failingSince >= giveUpAfterMs
}
