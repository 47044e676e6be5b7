/** The signals of a supervisor, a key press and a closed terminal. */
export const stopSignals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const

/** The terminal sends Ctrl-C to every process, and npm and bin/petstore.js forward it. */
const samePressMs = 200
const parentCheckIntervalMs = 500

/** Stops at the first signal. A later one, unless it is from the same key press, ends the process at once. */
export function stopOnSignal(stop: () => void): void {
  let stoppedAt: number | undefined
  for (const signal of stopSignals) {
    process.on(signal, () => {
      const now = performance.now()
      if (stoppedAt === undefined) {
        stoppedAt = now
        stop()
      } else if (now - stoppedAt > samePressMs) process.exit(1)
    })
  }
}

/**
 * Stops when the parent has ended. npm forwards a signal to the shell of its script, and most shells end without
 * forwarding it: the service would keep the port.
 */
export function stopWithParent(stop: () => void): void {
  const parent = process.ppid
  const checking = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(checking)
    stop()
  }, parentCheckIntervalMs).unref()
}

export function onlyOnce(work: () => void): () => void {
  let isDone = false
  return () => {
    if (isDone) return
    isDone = true
    work()
  }
}
