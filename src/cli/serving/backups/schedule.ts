import { rm } from 'node:fs/promises'
import type { Clock } from '../../../inventory/clock.ts'
import type { BackupFiles } from '../../shared/backup-files.ts'

export interface BackupsOptions {
  files: BackupFiles
  everyMs: number
  maxBackups: number
  clock: Clock
  /** Writes a verified backup. The file appears when it is complete. */
  backUp: (file: string, signal: AbortSignal) => Promise<void>
  succeeded: (file: string, milliseconds: number) => void
  /** Called when a backup fails. The next check tries again. */
  failed: (error: Error) => void
}

export type Backups = ReturnType<typeof scheduleBackups>

/**
 * Backups at regular times. The files tell when the next one is due, so a restart neither skips nor repeats one. Old
 * ones are removed after a new one is complete.
 */
export function scheduleBackups({ files, everyMs, maxBackups, clock, backUp, succeeded, failed }: BackupsOptions) {
  const stopping = new AbortController()
  let lastSuccessAt = 0
  let failures = 0
  let running: Promise<void> | undefined

  /** Backups from the future, made before the clock was set back, do not count. */
  async function readLastSuccess(now: number): Promise<void> {
    const past = (await files.list()).filter(({ at }) => at <= now)
    lastSuccessAt = past.at(-1)?.at ?? 0
  }

  async function backUpIfDue(): Promise<void> {
    const now = clock()
    await readLastSuccess(now)
    if (now < lastSuccessAt + everyMs) return
    const file = files.fileAt(now)
    const start = performance.now()
    await files.removePartial()
    await backUp(file, stopping.signal)
    await readLastSuccess(now)
    succeeded(file, performance.now() - start)
    await removeOld(file)
  }

  async function removeOld(newest: string): Promise<void> {
    const others = (await files.list()).filter(({ path }) => path !== newest)
    for (const { path } of others.slice(0, Math.max(0, others.length - maxBackups + 1))) await rm(path)
  }

  return {
    /** The time of the latest good backup, in milliseconds since 1970; 0 without one. */
    get lastSuccessAt() {
      return lastSuccessAt
    },
    /** How many failed since the start. */
    get failures() {
      return failures
    },
    /** Makes a backup if it is time, one at a time. Never rejects. */
    check(): Promise<void> {
      if (stopping.signal.aborted) return Promise.resolve()
      running ??= backUpIfDue()
        .catch((error: Error) => {
          if (stopping.signal.aborted) return
          failures++
          failed(error)
        })
        .finally(() => (running = undefined))
      return running
    },
    /** Ends a backup that is being made. */
    async stop(): Promise<void> {
      stopping.abort()
      await running
      await files.removePartial().catch(() => undefined) // The next backup does it.
    },
  }
}
