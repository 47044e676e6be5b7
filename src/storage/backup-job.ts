import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { Environment } from '../contract/environment.ts'
import { StorageError } from './shared/errors.ts'

export interface BackupJob {
  url: string
  file: string
  environment: Environment
}

/** Makes a backup on a thread of its own: verifying it would stop the event loop for seconds. */
export async function backupInThread(job: BackupJob, signal: AbortSignal): Promise<void> {
  const thread = new Worker(new URL('./backup-start.js', import.meta.url), { name: 'backup', workerData: job })
  const stop = () => void thread.terminate()
  signal.addEventListener('abort', stop)
  try {
    await once(thread, 'exit')
  } catch (error) {
    // The class of an error is lost between threads.
    throw new StorageError((error as Error).message)
  } finally {
    signal.removeEventListener('abort', stop)
  }
  if (signal.aborted) throw new StorageError('The backup was stopped.')
}
