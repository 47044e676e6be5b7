import { type ChildProcess, spawn } from 'node:child_process'
import { chownSync, mkdirSync, mkdtempSync, openSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'

/** PostgreSQL refuses to run as root, and nothing here needs to. */
const nobody = 65534
const isRoot = process.getuid?.() === 0

/**
 * A temporary folder for programs to run in. When the test ends, well or badly or by Ctrl-C, every process that
 * works in it is killed and the folder is removed.
 */
export function workplace(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-failover-'))
  own(folder)

  function clear(): void {
    process.off('exit', clear)
    // Again and again: while one is killed, another may start its child.
    for (let found = processesIn(folder); found.length > 0; found = processesIn(folder)) {
      signal(found, 'SIGKILL')
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20)
    }
    rmSync(folder, { recursive: true, force: true })
  }
  process.on('exit', clear)
  t.after(clear)
  return folder
}

export function subfolder(...path: [string, ...string[]]): string {
  const folder = join(...path)
  mkdirSync(folder)
  own(folder)
  return folder
}

/** Starts a program in a folder, as an unprivileged user. What it prints goes to a file there. */
export function start(folder: string, command: string, args: readonly string[]): ChildProcess {
  const log = openSync(join(folder, 'log.txt'), 'a')
  return spawn(command, args, { ...surroundings(folder), stdio: ['ignore', log, log] })
}

/** Runs a program to its end and resolves to what it printed; rejects when it fails. */
export async function run(folder: string, command: string, args: readonly string[]): Promise<string> {
  const child = spawn(command, args, { ...surroundings(folder), stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  }
  const { promise, resolve, reject } = Promise.withResolvers<number | null>()
  child.once('error', reject).once('close', resolve)
  if ((await promise) !== 0) throw new Error(`${command} ${args.join(' ')}: ${output}`)
  return output
}

/** Every process whose working folder is this one or below it. */
export function processesIn(folder: string): number[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^[0-9]+$/.test(name)) return []
    try {
      return `${readlinkSync(`/proc/${name}/cwd`)}/`.startsWith(`${folder}/`) && !isDead(name) ? [Number(name)] : []
    } catch {
      // Gone meanwhile, or somebody else's.
      return []
    }
  })
}

export function signal(processes: readonly number[], name: NodeJS.Signals): void {
  for (const id of processes) {
    try {
      process.kill(id, name)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  }
}

export function lastLines(folder: string, count: number): string {
  return readFileSync(join(folder, 'log.txt'), 'utf8').trimEnd().split('\n').slice(-count).join('\n')
}

function surroundings(folder: string) {
  return {
    cwd: folder,
    env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', HOME: folder, TMPDIR: folder, LC_ALL: 'C.UTF-8' },
    ...(isRoot && { uid: nobody, gid: nobody }),
  }
}

function own(folder: string): void {
  if (isRoot) chownSync(folder, nobody, nobody)
}

/** One that ended and whose parent has not asked about it yet is still listed. */
function isDead(id: string): boolean {
  return /\) [ZX] /.test(readFileSync(`/proc/${id}/stat`, 'utf8'))
}
