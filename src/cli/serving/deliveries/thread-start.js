// The entry point of the thread that delivers, in plain JavaScript because the install loads every TypeScript module
// (cli/compile.js), and this one works only in a thread.
import { enableCompileCache } from 'node:module'
import '../../../storage/shared/resolve-modules.js'

enableCompileCache()
const { runDeliveryThread } = await import('./run-thread.ts')
runDeliveryThread()
