/** How long such work may take in one tick of the event loop. */
const maxSliceMs = 3

/**
 * Runs short works in their order, a few milliseconds of them in each tick of the event loop: what thousands of
 * connections need at the same moment, such as a refusal, must not keep others waiting. `begin` is called before those
 * of each tick.
 */
export function slices(begin: () => void = () => undefined): (work: () => void) => void {
  let waiting: (() => void)[] = []

  function run(): void {
    begin()
    const endsAt = performance.now() + maxSliceMs
    let next = 0
    try {
      while (next < waiting.length && performance.now() < endsAt) waiting[next++]?.()
    } finally {
      // In each tick: under load others always wait, and each work holds a request and its response.
      waiting = waiting.slice(next)
      if (waiting.length > 0) setImmediate(run)
    }
  }

  return (work) => {
    if (waiting.push(work) === 1) setImmediate(run)
  }
}
