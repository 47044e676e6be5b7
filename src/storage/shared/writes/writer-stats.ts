import { type WriterStats, emptyHistogram, observe } from '../../../inventory/storage-stats.ts'

const groupSizeBounds = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000]
const commitSecondsBounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]

/** The statistics of a writer that has done nothing yet. It increases the counters itself: they are plain numbers. */
export function newWriterStats(): WriterStats {
  return {
    queued: 0,
    stored: 0,
    failed: 0,
    unknown: 0,
    refused: 0,
    groupSizes: emptyHistogram(groupSizeBounds),
    commitSeconds: emptyHistogram(commitSecondsBounds),
  }
}

/** Notes a group that has its results. `startedAt` is by `performance.now`. */
export function noteCommit({ groupSizes, commitSeconds }: WriterStats, size: number, startedAt: number): void {
  observe(groupSizes, size)
  observe(commitSeconds, (performance.now() - startedAt) / 1_000)
}

/** Statistics with writes that did not pass the writer. */
export function withOutcomes(
  stats: WriterStats,
  others: readonly Readonly<Record<'stored' | 'failed' | 'unknown', number>>[],
): WriterStats {
  const total = { ...stats }
  for (const { stored, failed, unknown } of others) {
    total.stored += stored
    total.failed += failed
    total.unknown += unknown
  }
  return total
}

/** Statistics without what another process counts: what waits or was refused here remains. */
export function withoutCommits({ queued, refused }: WriterStats): WriterStats {
  return { ...newWriterStats(), queued, refused }
}
