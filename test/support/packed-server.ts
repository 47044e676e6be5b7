import { execFile, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import packageJson from '../../package.json' with { type: 'json' }
import { temporaryFolder } from './engines.ts'

const runFile = promisify(execFile)
const root = fileURLToPath(new URL('../..', import.meta.url))

/** Whether npm can get packages, from its cache or a registry. Without, the reason to skip a test. */
export const skipWithoutRegistry = (() => {
  const options = { timeout: 20_000, encoding: 'utf8' } as const
  const args = ['view', 'commander', 'version', '--prefer-offline', '--fetch-retries=0']
  return spawnSync('npm', args, options).status === 0 ? (false as const) : 'NOT TESTED: npm cannot get packages here'
})()

/** Packs a package of this repository. Resolves to the file. */
export async function pack(t: TestContext, folder: 'server' | 'client' | 'verify'): Promise<string> {
  const to = temporaryFolder(t)
  const env = { ...process.env, npm_config_offline: 'true' }
  const args = ['pack', '--json', '--pack-destination', to]
  await runFile('npm', args, { cwd: join(root, folder), env, maxBuffer: 16 * 1024 * 1024 })
  return join(to, `petstore-${folder}-${packageJson.version}.tgz`)
}

/**
 * A project with the packed server as npm would install it, without asking npm: the packages that its manifest names are
 * those of this repository, and there are no others.
 */
export function unpackServer(t: TestContext, file: string, { runtime = true } = {}): string {
  const project = temporaryFolder(t)
  const packages = join(project, 'node_modules')
  const installed = join(packages, '@petstore/server')
  mkdirSync(installed, { recursive: true })
  execFileSync('tar', ['-xzf', file, '-C', installed, '--strip-components=1'])
  const { dependencies, optionalDependencies } = JSON.parse(
    readFileSync(join(installed, 'package.json'), 'utf8'),
  ) as Record<string, object>
  for (const name of Object.keys({ ...dependencies, ...(runtime && optionalDependencies) })) {
    const from = join(root, 'node_modules', name)
    if (!existsSync(from)) continue
    mkdirSync(dirname(join(packages, name)), { recursive: true })
    symlinkSync(from, join(packages, name))
  }
  return project
}

export interface StartedProgram {
  pid: number
  /** The first one on standard output; empty if there was none. */
  line: string
  output(): string
  kill(signal: NodeJS.Signals): void
  closed: Promise<[code: number | null, signal: NodeJS.Signals | null]>
}

/**
 * Starts a program in an empty folder and waits for its first line, or for its end; it is killed after `timeoutMs`
 * without one. Its whole group is killed when the test ends.
 */
export async function startProgram(
  t: TestContext,
  command: string,
  args: readonly string[],
  {
    env = {},
    cwd = temporaryFolder(t),
    timeoutMs = 60_000,
  }: { env?: Record<string, string>; cwd?: string; timeoutMs?: number } = {},
): Promise<StartedProgram> {
  const child = spawn(command, args, {
    cwd,
    env: { PATH: process.env['PATH'] ?? '', HOME: cwd, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  const pid = child.pid as number
  t.after(() => {
    try {
      process.kill(-pid, 'SIGKILL')
    } catch {
      // All have ended.
    }
  })
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  const closed = once(child, 'close') as StartedProgram['closed']
  const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs)
  const firstLine = (async () => {
    while (!stdout.includes('\n')) await once(child.stdout, 'data')
  })()
  await Promise.race([firstLine, closed])
  clearTimeout(timer)
  const line = stdout.split('\n')[0] ?? ''
  return { pid, line, output: () => stdout + stderr, kill: (signal) => child.kill(signal), closed }
}
