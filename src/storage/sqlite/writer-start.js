// The way into the writer thread, in plain JavaScript for the reason given in cli/start.js: a thread has a cache of its own.
import { enableCompileCache } from 'node:module'

enableCompileCache()
const { runWriter } = await import('./writer-thread.ts')
runWriter()
