// Makes the imports of a thread faster. In plain JavaScript, since it comes before any TypeScript.
import { registerHooks } from 'node:module'

// Our imports are complete addresses, and all our TypeScript is modules. For each of 300 files Node would look for
// symbolic links and a package.json, which takes a sixth of the CPU time of a start.
registerHooks({
  resolve(specifier, context, next) {
    if (!specifier.startsWith('.') || !specifier.endsWith('.ts')) return next(specifier, context)
    return { url: new URL(specifier, context.parentURL).href, format: 'module-typescript', shortCircuit: true }
  },
})
