// The entry point of every thread (thread.ts), in plain JavaScript for the reason given in cli/start.js: a thread has
// its own cache.
import { enableCompileCache } from 'node:module'
import { parentPort, workerData } from 'node:worker_threads'
import './resolve-modules.js'

enableCompileCache()
const [{ connectCalls, portChannel }, { run }] = await Promise.all([import('./calls.ts'), import(workerData.module)])
const functions = {}
const starter = connectCalls(portChannel(parentPort), functions)
Object.assign(functions, run(workerData.data, starter))
