import { workerData } from 'node:worker_threads'
import { backupStorage } from './backup.ts'
import type { BackupJob } from './backup-job.ts'

// The entry point of the thread that backup-job.ts starts.
const { url, file, environment } = workerData as BackupJob
await backupStorage(url, file, environment)
