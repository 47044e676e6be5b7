import { spawn } from 'node:child_process'
import { once } from 'node:events'

// `npm run lint`: types, rules and format. All at once: the two long ones use a core each.

const programs = {
  tsc: 'node_modules/typescript/bin/tsc',
  oxlint: 'node_modules/oxlint/bin/oxlint',
  biome: 'node_modules/@biomejs/biome/bin/biome',
}

const checks: readonly [keyof typeof programs, ...string[]][] = [
  ['tsc', '--incremental', '--tsBuildInfoFile', 'node_modules/.cache/tsc.json'],
  ['oxlint', '--type-aware', '--deny-warnings'],
  ['tsc', '-p', 'client'],
  ['tsc', '-p', 'verify'],
  ['tsc', '-p', 'console'],
  ['tsc', '-p', 'test/console/state'],
  ['biome', 'format', '.'],
]

async function run([program, ...args]: (typeof checks)[number]): Promise<void> {
  const [code] = await once(spawn(process.execPath, [programs[program], ...args], { stdio: 'inherit' }), 'close')
  if (code === 0) return
  process.stderr.write(`Failed: ${program} ${args.join(' ')}\n`)
  process.exitCode = 1
}

await Promise.all(checks.map(run))
