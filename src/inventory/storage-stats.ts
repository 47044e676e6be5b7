/** Observed values by size. `counts[i]` counts those up to `bounds[i]`; its last entry counts the larger ones. */
export interface Histogram {
  readonly bounds: readonly number[]
  readonly counts: number[]
  sum: number
}

/** Writes since the engine was opened. A write that shares a failed group with others counts once, like any other. */
export interface WriterStats {
  /** Writes that wait for their group. */
  queued: number
  stored: number
  /** Nothing was stored. */
  failed: number
  /** Nobody knows whether they were stored. */
  unknown: number
  /** Not tried: too many waited, the disk hung, or the service was stopping. */
  refused: number
  /** The number of writes in each group. */
  groupSizes: Histogram
  /** How long each group took to be on disk. */
  commitSeconds: Histogram
}

/** The connections of this process to a database server, by what they are for. */
export interface SessionStats {
  role: 'reader' | 'writer' | 'replica'
  open: number
  /** Those of `open` that wait for a result. */
  busy: number
}

export interface ReplicaStats {
  /** Whether any replica is read now. */
  isRead: boolean
  /** Of the connection that is furthest behind; undefined if no replica answers. */
  lagMs: number | undefined
}

/** What a process does with its storage. */
export interface StorageStats {
  writer: WriterStats
  /** Empty for an engine without a server. */
  sessions: SessionStats[]
  /** Reads that were sent to a server and have no result. */
  pendingReads: number
  replica?: ReplicaStats | undefined
}

/** What a database takes. A member is absent if the engine cannot know it. */
export interface StorageSize {
  databaseBytes?: number
  /** The write-ahead log. */
  walBytes?: number
  diskFreeBytes?: number
  diskBytes?: number
  /** The sessions of a database server, of all its clients. */
  serverSessions?: { used: number; waiting: number; max: number }
}

export function emptyHistogram(bounds: readonly number[]): Histogram {
  return { bounds, counts: Array.from({ length: bounds.length + 1 }, () => 0), sum: 0 }
}

export function observe(histogram: Histogram, value: number): void {
  const { bounds, counts } = histogram
  let index = 0
  while (index < bounds.length && value > (bounds[index] as number)) index++
  ;(counts[index] as number)++
  histogram.sum += value
}
