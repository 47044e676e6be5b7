import { spawn } from 'node:child_process'
import { once } from 'node:events'

// `npm run lint`: types, rules and format. All at once: the two long ones use a core each.

const checks = [
  'tsc --incremental --tsBuildInfoFile node_modules/.cache/tsc.json',
  'oxlint --type-aware --deny-warnings',
  'tsc -p client',
  'tsc -p console',
  'tsc -p test/console/state',
  'biome format .',
]

async function run(check: string): Promise<void> {
  const [code] = await once(spawn(check, { shell: true, stdio: 'inherit' }), 'close')
  if (code === 0) return
  process.stderr.write(`Failed: ${check}\n`)
  process.exitCode = 1
}

await Promise.all(checks.map(run))
