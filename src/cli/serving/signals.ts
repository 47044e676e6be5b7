/** What ends a process that does not listen for it: from a supervisor, a key press, and a terminal that is closed. */
export const stopSignals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const

/** The terminal sends Ctrl-C to every process; npm and bin/petstore.js then pass on the one that they got. */
const samePressMs = 200
const parentCheckIntervalMs = 500

/** Stops at the first signal. A later one, unless it is the same key press, ends the process at once. */
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
 * Stops when the parent has ended. npm passes a signal on to the shell that it runs its script with, and most shells end
 * without passing it on: the service would be left behind and keep the port.
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
