// The way in, in plain JavaScript: it turns on the cache for compiled code before any TypeScript is loaded, so that
// from the second start on types need not be stripped again. That saves time and memory at every start but the first.
import { enableCompileCache } from 'node:module'

enableCompileCache()
await import('./main.ts')
