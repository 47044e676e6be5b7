// As a whole: an older Node, which an install may run with, has no `enableCompileCache` to import by its name.
import module from 'node:module'
import { fileURLToPath } from 'node:url'

// Beside what is installed, so that an install can fill it. By the environment, which threads and workers inherit.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('../../node_modules/.cache/petstore', import.meta.url))
module.enableCompileCache?.()
