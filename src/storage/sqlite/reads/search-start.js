// The entry point of the search thread, in plain JavaScript for the reason given in cli/start.js: a thread has its own
// cache.
import { enableCompileCache } from 'node:module'
import '../../shared/resolve-modules.js'

enableCompileCache()
const { runSearch } = await import('./search-thread.ts')
runSearch()
