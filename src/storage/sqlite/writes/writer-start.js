// The entry point of the writer thread, in plain JavaScript for the reason given in cli/start.js: a thread has its own
// cache.
import { enableCompileCache } from 'node:module'
import '../../shared/resolve-modules.js'

enableCompileCache()
const { runWriter } = await import('./writer-thread.ts')
runWriter()
