import { startThread } from '../threads/thread.ts'
import type { BackupFunctions, BackupJob } from './backup-thread.ts'
import { StorageError } from './shared/errors.ts'

/**
 * Makes a backup on a thread of its own: verifying it would stop the event loop for seconds. One that takes longer than
 * `timeoutMs` has failed, and its thread is given up.
 */
export async function backupInThread(job: BackupJob, timeoutMs: number, signal: AbortSignal): Promise<void> {
  const thread = startThread<BackupFunctions>({
    name: 'backup',
    module: new URL('./backup-thread.ts', import.meta.url),
  })
  const stop = () => void thread.end().catch(() => undefined)
  signal.addEventListener('abort', stop)
  try {
    await thread.callWithin(timeoutMs, 'backUp', job)
  } catch (error) {
    // The class of an error is lost between threads.
    throw new StorageError(signal.aborted ? 'The backup was stopped.' : (error as Error).message)
  } finally {
    signal.removeEventListener('abort', stop)
    stop()
  }
}
