import { globSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** Every test file below this folder, the root of the project. `npm run test:generators` installs packages that have tests. */
export function testFiles(root: string): string[] {
  return globSync('test/**/*.test.ts', { cwd: root, exclude: (name) => name === 'node_modules' }).toSorted()
}

/**
 * Proofs, run by `npm run test:slow`: what is in a folder called slow/, and the console in a real browser beyond one pass
 * through its views (test/console/views/). Everything else is `npm test`.
 */
export function isSlow(file: string): boolean {
  const folder = dirname(file)
  return folder === 'test/console' || folder.split('/').includes('slow')
}

/** Tests that kill, wait or pack. They run one after the other: they stop servers that others work with. */
export function runsAlone(file: string): boolean {
  return dirname(file) === 'test/slow'
}

/** It computes in one process for a quarter of an hour: those that run alone, but measure nothing, run beside it. */
export const longestAlone = 'test/slow/bugs.test.ts'

/** They measure times or memory: nothing runs beside them. */
export const measuring = new Set([
  'test/slow/large-responses.test.ts',
  'test/slow/restart.test.ts',
  'test/slow/slow-readers.test.ts',
  'test/slow/speed.test.ts',
])

/**
 * Whether a test file runs in a process with others. Their modules are loaded once, and they use the same PostgreSQL
 * databases, and the same page of Chromium, one after another.
 */
export function mayShare(file: string): boolean {
  return !runsAlone(file) && !ownProcess.has(file)
}

/** Whether its tests mostly wait for processes that they start. */
export function startsProcesses(file: string): boolean {
  return ['cli', 'corpus', 'deploy', 'docs'].includes(file.split('/')[1] ?? '')
}

/** Whether it has tests for every engine: `npm run test:slow` also runs those on SQLite in a file. */
export function isForEveryEngine(file: string): boolean {
  return readFileSync(file, 'utf8').includes('const engine of engines')
}

/** They load other test files, start workers from the process, or fill what a process has once. */
export const ownProcess = new Set([
  'test/http/on-postgres.test.ts',
  'test/http/slow/shop-model-on-postgres.test.ts',
  'test/cli/slow/hung-workers.test.ts',
  'test/webhooks/system-look-ups.test.ts',
])

/** Started first, the longest at the top: nothing waits for one of them at the end. */
export const startedFirst: readonly string[] = [
  'test/console/looks.test.ts',
  'test/console/pages.test.ts',
  'test/http/on-postgres.test.ts',
  'test/cli/serve.test.ts',
  'test/cli/slow/workers.test.ts',
  'test/cli/slow/stop.test.ts',
  'test/cli/slow/import-endings.test.ts',
  'test/cli/slow/import-faults.test.ts',
  'test/cli/slow/copy.test.ts',
  'test/cli/slow/restore.test.ts',
]
