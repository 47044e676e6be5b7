import { setTimeout as wait } from 'node:timers/promises'

/** Lets calls pass one after another, at most so many in a second. */
export function paceOf(perSecond: number): () => Promise<void> {
  const gapMs = 1000 / perSecond
  let nextAt = 0
  return async () => {
    const now = performance.now()
    const at = Math.max(now, nextAt)
    nextAt = at + gapMs
    if (at > now) await wait(at - now)
  }
}
