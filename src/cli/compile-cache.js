// A default import: older Node versions, which may run an install, have no export `enableCompileCache`.
import module from 'node:module'
import { fileURLToPath } from 'node:url'

// In node_modules, so that an install can fill it. Set in the environment, which threads and workers inherit.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('../../node_modules/.cache/petstore', import.meta.url))
module.enableCompileCache?.()
