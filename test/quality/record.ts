import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { mustRun } from '../support/cache.ts'

const root = join(import.meta.dirname, '../..')

/** What a script of package.json did when it was run. */
export interface Run {
  /** With "and changes" if it was not the commit alone. */
  commit: string
  date: string
  isGreen: boolean
  minutes: number
  tests: Record<'tests' | 'pass' | 'fail' | 'skipped', number>
  /** Lines with figures of its own: events, kills, mutants. */
  figures: string[]
}

/** Lines of proofs that say how much was tried. */
const figureLines =
  /\b\d+ (?:rounds|kills|operations|histories|requests|of \d+)\b|^\| .*noticed|^\| `\S+` \|| \d+(?:\.\d)? [kM]B\b/
const maxFigures = 40

/** Runs a script, shows its output and returns what it did. */
export async function runScript(name: string): Promise<Run> {
  const commit = mustRun('git', ['-C', root, 'rev-parse', '--short=8', 'HEAD']).trim()
  const others = ['--', '.', ':!docs/quality.md', ':!test/quality/runs.json']
  const isChanged = mustRun('git', ['-C', root, 'status', '--porcelain', ...others]) !== ''
  const start = performance.now()
  const { code, output } = await runCommand('npm', ['run', name])
  return {
    commit: isChanged ? `${commit} and changes` : commit,
    date: new Date().toISOString().slice(0, 10),
    isGreen: code === 0,
    minutes: Math.round((performance.now() - start) / 6_000) / 10,
    ...readOutput(output),
  }
}

/** A run of which nothing can be said: this machine lacks what the tests need. */
export function isAllSkipped({ tests: { tests, skipped } }: Pick<Run, 'tests'>): boolean {
  return tests > 0 && tests === skipped
}

/**
 * Runs a command in the root of the repository, shows its output and returns it. A process that the command leaves behind
 * may hold the output open: it is waited for as long as `restMs`.
 */
export async function runCommand(
  command: string,
  args: readonly string[],
  restMs = 10_000,
): Promise<{ code: number | null; output: string }> {
  const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
    process.stdout.write(text)
  })
  const closed = once(child, 'close')
  const [code] = (await once(child, 'exit')) as [number | null]
  const rest = new AbortController()
  await Promise.race([closed, setTimeout(restMs, undefined, { signal: rest.signal })])
  rest.abort()
  child.stdout.destroy()
  return { code, output }
}

/** The sums that node:test prints; a script may print them more than once. */
export function readOutput(output: string): Pick<Run, 'tests' | 'figures'> {
  const sum = (name: string) =>
    [...output.matchAll(new RegExp(`^ℹ ${name} (\\d+)$`, 'gm'))].reduce((total, [, count]) => total + Number(count), 0)
  const lines = output.split('\n').map((line) => line.trim().replace(/^ℹ /, ''))
  return {
    tests: { tests: sum('tests'), pass: sum('pass'), fail: sum('fail'), skipped: sum('skipped') },
    figures: lines.filter((line) => figureLines.test(line)).slice(0, maxFigures),
  }
}
