// Runs after an install: loads every module once, so that the very first start finds all of them compiled.
import './compile-cache.js'
import fs from 'node:fs'
import { fileURLToPath } from 'node:url'

// An older Node can neither load TypeScript nor find files by a pattern; the launcher will say so. An install is not the
// place to fail for it.
if (process.features.typescript) {
  const files = fs.globSync('**/*.ts', { cwd: fileURLToPath(new URL('../', import.meta.url)) })
  for (const file of files) await import(`../${file.replaceAll('\\', '/')}`)
}
