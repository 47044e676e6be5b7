import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Options } from './options.ts'
import { keepOn, killAll } from './processes.ts'

const home = fileURLToPath(new URL('.', import.meta.url))

/** Those of the given names, all for none; refuses a name that is not known. */
export function choose<Named extends { name: string }>(flag: string, all: readonly Named[], names: string[]): Named[] {
  const unknown = names.find((name) => !all.some((each) => each.name === name))
  if (unknown !== undefined) {
    throw new Error(`${flag} must be some of ${all.map(({ name }) => name).join(', ')}, got "${unknown}".`)
  }
  return all.filter(({ name }) => names.length === 0 || names.includes(name))
}

export function requireLinux({ cores }: Options): void {
  // One by one: of a list, taskset is content with a part.
  const canPin = (core: number) => spawnSync('taskset', ['-c', String(core), 'true']).status === 0
  if (process.platform !== 'linux' || !canPin(cores.server) || !canPin(cores.load)) {
    throw new Error('The bench needs Linux, taskset (util-linux) and two cores; --cores picks others.')
  }
}

/** Peers have a package of their own, so that the service's stays small; the first run installs it. */
export function installPeers(): void {
  if (existsSync(join(home, 'node_modules/.package-lock.json'))) return
  console.log('Installing the peers into bench/node_modules …')
  const { status } = spawnSync('npm', ['ci'], { cwd: home, stdio: 'inherit' })
  if (status !== 0) throw new Error('The peers could not be installed: try `npm ci` in bench/.')
}

/** A folder for this run. Whatever happens: it is removed at the end, and nothing that was started runs on. */
export function temporaryFolder(prefix: string, parent = tmpdir()): string {
  const folder = mkdtempSync(join(parent, prefix))
  process.once('exit', () => {
    killAll()
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(130))
  return folder
}

/** Keeps this process, with all its threads, off the server's core. */
export function keepToCore(core: number): void {
  keepOn([core], process.pid)
}
