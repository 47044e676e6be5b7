import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

export interface Command {
  file: string
  args: string[]
  env?: Record<string, string>
  cwd?: string
}

interface StartOptions {
  temporary: string
  output: number
  ipc?: boolean
  /** Before all other programs of the machine. Needs `canBeUrgent`. */
  isUrgent?: boolean
}

/** The lowest of the priorities that no usual program has. */
const realTime = ['--rr', '1']

/** Whether this user may run programs before all others. */
export function canBeUrgent(): boolean {
  return spawnSync('chrt', [...realTime, 'true']).status === 0
}

const running = new Set<ChildProcess>()

/**
 * Starts a program on one core, in a process group of its own, so that it can be ended with all that it started.
 * Settings of the shell that started the bench do not reach it. `temporary` becomes its home and its TMPDIR.
 */
export function startOn(
  core: number,
  { file, args, env = {}, cwd }: Command,
  { temporary, output, ipc = false, isUrgent = false }: StartOptions,
): ChildProcess {
  const pinned = ['taskset', '-c', String(core), file, ...args] as const
  const child = spawn(isUrgent ? 'chrt' : pinned[0], isUrgent ? [...realTime, ...pinned] : pinned.slice(1), {
    cwd: cwd ?? temporary,
    env: { PATH: systemPath(), HOME: temporary, TMPDIR: temporary, ...env },
    stdio: ipc ? ['ignore', output, output, 'ipc'] : ['ignore', output, output],
    detached: true,
  })
  running.add(child)
  child.once('exit', () => running.delete(child))
  return child
}

/** Keeps a process, with all its threads and those that it starts, on these cores. */
export function keepOn(cores: readonly number[], pid: number): void {
  for (const { pid: each } of tree(pid)) spawnSync('taskset', ['-a', '-c', '-p', cores.join(','), String(each)])
}

// npm puts its own folders in front; `npm start` from a shell does not have them.
function systemPath(): string {
  const folders = (process.env['PATH'] ?? '').split(':')
  return folders.filter((folder) => !folder.includes('node_modules')).join(':')
}

/** Asks the group to end, and makes it end after a while. */
export async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  signal(child, 'SIGTERM')
  const last = setTimeout(() => signal(child, 'SIGKILL'), 5_000)
  await ended
  clearTimeout(last)
  // The leader may be gone before those it started.
  signal(child, 'SIGKILL')
}

/** For the last moment of the process, when nothing can be waited for. */
export function killAll(): void {
  for (const child of running) signal(child, 'SIGKILL')
}

function signal({ pid }: ChildProcess, name: NodeJS.Signals): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, name)
  } catch {
    // Gone already.
  }
}

/** Microseconds of CPU that a process and all below it have used, in all their threads. Resolution: 10 ms. */
export function cpuOf(pid: number): number {
  const microsecondsPerTick = 10_000 // USER_HZ is 100 on every Linux that runs Node.
  let ticks = 0
  for (const { fields } of tree(pid)) {
    // utime, stime, and the same of children that have ended.
    for (const index of [11, 12, 13, 14]) ticks += Number(fields[index])
  }
  return ticks * microsecondsPerTick
}

/** Microseconds of CPU that the event loop of a process has used: its first thread. */
export function loopCpuOf(pid: number): number {
  const [nanoseconds = '0'] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'latin1').split(' ')
  return Number(nanoseconds) / 1_000
}

/** The same of all threads that run now. */
export function threadsCpuOf(pid: number): number {
  let microseconds = 0
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    const [nanoseconds = '0'] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'latin1').split(' ')
    microseconds += Number(nanoseconds) / 1_000
  }
  return microseconds
}

/** Resident memory of a process and all below it, in bytes. */
export function memoryOf(pid: number): number {
  let kilobytes = 0
  for (const { pid: each } of tree(pid)) {
    // Not from stat, which counts pages, and pages are not 4 KiB everywhere.
    kilobytes += Number(/^VmRSS:\s*(\d+)/m.exec(readFileSync(`/proc/${each}/status`, 'latin1'))?.[1] ?? 0)
  }
  return kilobytes * 1024
}

interface Stat {
  pid: number
  /** /proc/PID/stat from the state on: fields[0] is field 3 of proc_pid_stat(5). */
  fields: string[]
}

function tree(root: number): Stat[] {
  const all = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? statOf(Number(name)) : []))
  const found = all.filter(({ pid }) => pid === root)
  for (const { pid } of found) found.push(...all.filter(({ fields }) => Number(fields[1]) === pid))
  return found
}

function statOf(pid: number): Stat[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The name of the program is in parentheses and may hold anything, spaces and parentheses too.
    return [{ pid, fields: text.slice(text.lastIndexOf(')') + 2).split(' ') }]
  } catch {
    return [] // Ended meanwhile.
  }
}
