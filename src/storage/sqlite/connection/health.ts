import type { HealthReport } from '../../shared/errors.ts'

/** The known state of a database. */
export interface Health {
  /** Set if the file is damaged: reads and writes are refused until a restart. */
  readonly damage: string | undefined
  /** Why the latest write failed, or why the next one will. */
  readonly problem: string | undefined
  /** The time of the latest write, by `performance.now`. */
  readonly lastWriteAt: number
  foundDamage(message: string): void
  cannotWrite(problem: string): void
  hasWritten(): void
}

export interface HealthListeners {
  report?: HealthReport | undefined
  /** Called once, with SQLite's message. */
  damaged?: (message: string) => void
}

/** `path` is for messages. Each change is reported once. */
export function watchHealth(path: string, { report, damaged }: HealthListeners = {}): Health {
  let damage: string | undefined
  let problem: string | undefined
  let lastWriteAt = -Infinity

  function change(to: string | undefined): void {
    if (problem === to) return
    problem = to
    report?.(to)
  }

  return {
    get damage() {
      return damage
    },
    get problem() {
      return problem
    },
    get lastWriteAt() {
      return lastWriteAt
    },
    foundDamage(message) {
      if (damage !== undefined) return
      damage =
        `The database ${path} is damaged (${message}): reads and writes are refused. Stop the service, run ` +
        'petstore check, and restore a backup.'
      change(damage)
      damaged?.(message)
    },
    cannotWrite(reason) {
      if (damage === undefined) change(reason)
    },
    hasWritten() {
      lastWriteAt = performance.now()
      if (damage === undefined) change(undefined)
    },
  }
}
