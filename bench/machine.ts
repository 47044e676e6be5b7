import { spawnSync } from 'node:child_process'
import { closeSync, fdatasyncSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { cpus, loadavg, release, totalmem, type } from 'node:os'
import { join } from 'node:path'
import { medianOf } from './samples.ts'
import { short } from './report.ts'

/** What a reader has to know about the machine to compare. Measures the disk in `folder`. */
export function describeMachine(folder: string, software: readonly string[], placement: string): string[] {
  const model = cpus()[0]?.model.trim() ?? 'unknown'
  const memory = `${Math.round(totalmem() / 2 ** 30)} GiB`
  const time = new Date().toISOString().slice(0, 16).replace('T', ' ')
  return [
    `${time} UTC, ${commit()}`,
    `${model} (${process.arch}), ${cpus().length} cores, ${memory}, ${type()} ${release()}`,
    [`Node ${process.versions.node}`, ...software].join(', '),
    placement,
    `Disk: ${fileSystem(folder)}, 4 KiB and an fdatasync take ${short(fsyncCost(folder))} ms (median)`,
    `Load average before the run: ${loadavg()[0]?.toFixed(2)}`,
  ]
}

/** What a program says first. */
export function firstLine(file: string, args: string[]): string {
  const { stdout, stderr, error } = spawnSync(file, args, { encoding: 'utf8' })
  return error === undefined ? ((stdout || stderr).split('\n')[0] ?? '').trim() : '?'
}

// A run beside changes that are not committed says so: its figures are those of no commit. The pages of figures are none.
function commit(): string {
  const git = (...args: string[]) =>
    spawnSync('git', args, { cwd: import.meta.dirname, encoding: 'utf8' }).stdout?.trim()
  const name = git('rev-parse', '--short', 'HEAD')
  if (!name) return 'not from a checkout'
  return git('status', '--porcelain', '--', ':/', ':!results*.md') ? `commit ${name} with changes` : `commit ${name}`
}

// statfs(2) cannot tell ext4 from ext2; the table of mounts can.
function fileSystem(folder: string): string {
  const { stdout } = spawnSync('df', ['--output=fstype', folder], { encoding: 'utf8' })
  return stdout?.split('\n')[1]?.trim() || 'unknown file system'
}

function fsyncCost(folder: string): number {
  const path = join(folder, 'fsync')
  const file = openSync(path, 'w')
  const block = Buffer.alloc(4096)
  const times = Array.from({ length: 100 }, (_, index) => {
    const start = performance.now()
    writeSync(file, block, 0, block.length, index * block.length)
    fdatasyncSync(file)
    return performance.now() - start
  })
  closeSync(file)
  rmSync(path)
  return medianOf(times)
}

/** Ticks that a host took from this virtual machine, and all ticks, of one core since it was started. */
export function stolen(core: number): { stolen: number; all: number } {
  const line = new RegExp(`^cpu${core} (.*)$`, 'm').exec(readFileSync('/proc/stat', 'utf8'))?.[1] ?? ''
  const ticks = line.split(' ').map(Number)
  return { stolen: ticks[7] ?? 0, all: ticks.slice(0, 8).reduce((sum, each) => sum + each, 0) }
}
