import { allChecks } from '../../verify/src/checks/all.ts'
import { run, type Report, type RunOptions } from '../../verify/src/run.ts'

/** Runs the checks without pauses. */
export function judge(url: URL, key: string, options: Partial<RunOptions> = {}): Promise<Report> {
  return run({
    url,
    key,
    level: 'contract',
    readOnly: false,
    requestsPerSecond: 100_000,
    timeoutMs: 60_000,
    settleMs: 0,
    maxBodyBytes: 1024 * 1024,
    clock: () => Date.UTC(2026, 10, 17),
    ...options,
  })
}

/** In the order of all checks, in whatever order they were run. */
export function idsOf({ results }: Report, outcome: 'passed' | 'failed' | 'skipped'): string[] {
  const ids = new Set(results.filter((result) => result.outcome === outcome).map(({ id }) => id))
  return allChecks.map(({ id }) => id).filter((id) => ids.has(id))
}
