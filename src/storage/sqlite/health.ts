import type { HealthReport } from '../shared/health-report.ts'

/** What is known of the state of a database. */
export interface Health {
  /** The file is damaged: nothing may be read or written any more. Stays so until a restart. */
  readonly damage: string | undefined
  /** Why the latest attempt to write failed, or why the next one will. */
  readonly problem: string | undefined
  /** When something was last written, by `performance.now`. */
  readonly lastWriteAt: number
  foundDamage(message: string): void
  cannotWrite(problem: string): void
  hasWritten(): void
}

export interface HealthListeners {
  report?: HealthReport | undefined
  /** Called once, with what SQLite said. */
  damaged?: (message: string) => void
}

/** `path` is for the sentences. Each change is told once. */
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
