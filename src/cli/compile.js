// Runs after an install: loads every module once, so that the very first start finds all of them compiled.
import './compile-cache.js'
import { globSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

// An older Node cannot load TypeScript; the launcher will say so. An install is not the place to fail for it.
if (process.features.typescript) {
  const files = globSync('**/*.ts', { cwd: fileURLToPath(new URL('../', import.meta.url)) })
  for (const file of files) await import(`../${file.replaceAll('\\', '/')}`)
}
