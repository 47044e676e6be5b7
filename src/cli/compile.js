// Runs after an install: loads every module once, so that the first start finds them compiled, and bundles the console.
import './compile-cache.js'
import fs from 'node:fs'
import { fileURLToPath } from 'node:url'

// Older Node versions cannot load TypeScript or use globSync. An install must not fail for that; the launcher explains
// it.
if (process.features.typescript) {
  const files = fs.globSync('**/*.ts', { cwd: fileURLToPath(new URL('../', import.meta.url)) })
  for (const file of files) if (!file.endsWith('.d.ts')) await import(`../${file.replaceAll('\\', '/')}`)

  await import('../../verify/src/program.ts')

  // An install without esbuild is a service without a console, not a failure.
  const { renewBundle } = await import('../http/pages/console-bundle.ts')
  const notice = await renewBundle()
  if (notice !== undefined) process.stdout.write(`${notice.sentence}\n`)
}
