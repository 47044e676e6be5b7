import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, cpSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { fetchPackage, mustRun } from './cache.ts'
import { temporaryFolder } from './engines.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const isRoot = process.getuid?.() === 0
const nobody = 65534

/** A checkout as somebody else has it: the files that git knows, a Node, an npm, and nothing installed. */
export interface CleanCopy {
  folder: string
  /** Runs a command in a folder of the checkout and resolves to its output. Throws the output of one that fails. */
  run(command: readonly string[], within?: string): Promise<string>
  start(command: readonly string[], env?: Record<string, string>): ReturnType<typeof spawn>
}

export interface CopyOptions {
  node: string
  npm: string
  /** A path with a space and a letter beyond ASCII, an ordinary user, LANG=C, umask 077 and a HOME without write access. */
  isAwkward?: boolean
  /** Words before each command, such as those of `unshare`. */
  prefix?: readonly string[]
}

export function makeCleanCopy(t: TestContext, { node, npm, isAwkward = false, prefix = [] }: CopyOptions): CleanCopy {
  const outer = temporaryFolder(t)
  const folder = join(outer, isAwkward ? 'Ünser Laden' : 'petstore')
  const files = mustRun('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root })
  for (const file of files.split('\0')) {
    if (file !== '' && existsSync(join(root, file))) cpSync(join(root, file), join(folder, file))
  }
  const programs = installPrograms(outer, node, npm)
  const home = join(outer, 'home')
  mkdirSync(home)
  const cache = isAwkward ? join(outer, 'npm-cache') : mustRun('npm', ['config', 'get', 'cache']).trim()
  const identity = isAwkward && isRoot ? { uid: nobody, gid: nobody } : {}
  if (isAwkward) {
    if (isRoot) mustRun('chown', ['-R', `${nobody}:${nobody}`, outer])
    chmodSync(home, 0o500)
  }
  const surroundings = {
    ...withoutOurs(process.env),
    PATH: `${programs}:/usr/bin:/bin`,
    HOME: home,
    LANG: isAwkward ? 'C' : 'C.UTF-8',
    npm_config_cache: cache,
    npm_config_registry: mustRun('npm', ['config', 'get', 'registry']).trim(),
    npm_config_prefer_offline: 'true',
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    npm_config_update_notifier: 'false',
  }

  function start(command: readonly string[], env: Record<string, string> = {}, cwd = folder) {
    const words = [...prefix, 'sh', '-c', `umask ${isAwkward ? '077' : '022'}; exec "$@"`, 'sh', ...command]
    const options = { cwd, env: { ...surroundings, ...env }, detached: true, ...identity }
    const child = spawn(words[0] as string, words.slice(1), { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
    t.after(() => {
      try {
        process.kill(-(child.pid as number), 'SIGKILL')
      } catch {
        // All have ended.
      }
    })
    return child
  }

  async function run(command: readonly string[], within = '.'): Promise<string> {
    const child = start(command, {}, join(folder, within))
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => (output += text))
    }
    const [code] = await once(child, 'close')
    if (code !== 0) throw new Error(`${command.join(' ')} ended with ${code}: ${output}`)
    return output
  }

  return { folder, run, start }
}

/** A folder with `node` and `npm`, copied, because an ordinary user cannot read the cache of root. */
function installPrograms(outer: string, node: string, npm: string): string {
  const programs = join(outer, 'programs')
  mkdirSync(programs)
  const name = `node-${process.platform}-${process.arch}`
  cpSync(join(fetchPackage(name, node, 120_000), name, 'bin/node'), join(programs, 'node'))
  cpSync(join(fetchPackage('npm', npm, 120_000), 'npm'), join(outer, 'npm'), { recursive: true, dereference: true })
  symlinkSync('../npm/bin/npm-cli.js', join(programs, 'npm'))
  writeFileSync(join(outer, 'package.json'), '{}')
  return programs
}

/** Without what this run of tests set, which an empty machine does not have. */
function withoutOurs(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const isOurs = (name: string) => /^(PETSTORE_|npm_|NODE_TEST|NODE_COMPILE|NODE_OPTIONS|XDG_|INIT_CWD|CI$)/.test(name)
  return Object.fromEntries(Object.entries(env).filter(([name]) => !isOurs(name)))
}
