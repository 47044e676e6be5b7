import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, cpSync, existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { mustRun } from './cache.ts'
import { temporaryFolder } from './engines.ts'
import { emptyMachine, installPrograms } from './other-node.ts'

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
  /** A path with a space and a letter beyond ASCII, an ordinary user, LANG=C and a HOME without write access. */
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
  const identity = isAwkward && isRoot ? { uid: nobody, gid: nobody } : {}
  if (isAwkward) {
    if (isRoot) mustRun('chown', ['-R', `${nobody}:${nobody}`, outer])
    chmodSync(home, 0o500)
  }
  const surroundings = {
    ...emptyMachine(programs, home),
    LANG: isAwkward ? 'C' : 'C.UTF-8',
    ...(isAwkward && { npm_config_cache: join(outer, 'npm-cache') }),
  }

  function start(command: readonly string[], env: Record<string, string> = {}, cwd = folder) {
    // The strictest that people have, root too: what others must read has to be made so.
    const words = [...prefix, 'sh', '-c', 'umask 077; exec "$@"', 'sh', ...command]
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
