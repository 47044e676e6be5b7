// The entry point of the thread that backup-job.ts starts. It is plain JavaScript because the install loads every
// TypeScript module (cli/compile.js), and this one works only in a thread.
import { enableCompileCache } from 'node:module'
import { workerData } from 'node:worker_threads'

enableCompileCache()
const { backupStorage } = await import('./backup.ts')
await backupStorage(workerData.url, workerData.file, workerData.environment)
