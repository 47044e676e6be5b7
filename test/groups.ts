/** Tests that kill, wait or pack: `npm run test:slow`. */
export function isSlow(file: string): boolean {
  return file.startsWith('test/slow/')
}

/**
 * Whether a test file runs in a process with others. Their modules are loaded once, and they use the same PostgreSQL
 * databases, and the same page of Chromium, one after another.
 */
export function mayShare(file: string): boolean {
  return !startingProcesses.has(file.split('/')[1] ?? '') && !alone.has(file)
}

/** Folders whose files mostly wait for processes that they start. They run beside each other. */
const startingProcesses = new Set(['cli', 'corpus', 'deploy', 'docs', 'slow'])

/** They load other test files or measure the process. */
export const alone = new Set([
  'test/http/create-pet.test.ts',
  'test/http/on-postgres.test.ts',
  'test/client/server-sent-events.test.ts',
])

/** Started first, the longest at the top: nothing waits for one of them at the end. */
export const longest: readonly string[] = [
  'test/console/looks.test.ts',
  'test/console/pages.test.ts',
  'test/http/on-postgres.test.ts',
  'test/cli/serve.test.ts',
  'test/cli/workers.test.ts',
  'test/cli/stop.test.ts',
  'test/cli/import-endings.test.ts',
  'test/cli/copy.test.ts',
  'test/cli/restore.test.ts',
]
