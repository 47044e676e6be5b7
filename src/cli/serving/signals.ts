import { isatty } from 'node:tty'

/** The signals of a supervisor, a key press and a closed terminal. */
export const stopSignals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const

/** The terminal sends Ctrl-C to every process, and npm and bin/petstore.js forward it. */
const samePressMs = 200
const parentCheckIntervalMs = 500

/**
 * Stops at the first signal. A later one, unless it is from the same key press, ends the process at once. SIGHUP runs
 * `reload` instead, if there is one, unless the terminal was closed.
 */
export function stopOnSignal(stop: () => void, reload?: () => void): void {
  let stoppedAt: number | undefined
  const hadTerminal = isatty(2)
  for (const signal of stopSignals) {
    process.on(signal, () => {
      // The descriptor of a closed terminal is no terminal any more.
      const isReload = signal === 'SIGHUP' && reload !== undefined && isatty(2) === hadTerminal
      if (isReload && stoppedAt === undefined) return reload()
      const now = performance.now()
      if (stoppedAt === undefined) {
        stoppedAt = now
        stop()
      } else if (now - stoppedAt > samePressMs) endAtOnce()
    })
  }
}

/**
 * Ends this process, and its workers, whatever hangs. `process.exit` waits for the threads of the process, and nothing
 * can interrupt one that waits for a stalled disk. So the process is killed, after the handlers of `exit` have run.
 */
export function endAtOnce(): void {
  process.once('exit', () => process.kill(process.pid, 'SIGKILL'))
  process.exit(1)
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

/** Stops when the process that started this one closes its channel. It may have ended before anybody listened. */
export function stopWithChannel(stop: () => void): void {
  process.once('disconnect', stop)
  if (process.send !== undefined && !process.connected) stop()
}

export function onlyOnce(work: () => void): () => void {
  let isDone = false
  return () => {
    if (isDone) return
    isDone = true
    work()
  }
}
