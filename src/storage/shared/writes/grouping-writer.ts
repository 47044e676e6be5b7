import type { WriterStats } from '../../../inventory/storage-stats.ts'
import { newWriterStats, noteCommit } from './writer-stats.ts'

/** Commits concurrent writes in groups. The engine defines requests and results. */
export interface GroupingWriter<Request, Result> {
  /** Resolves when the write is on disk or has failed: a failure is a result too. */
  perform(request: Request): Promise<Result>
  stats(): WriterStats
  /** Finishes the waiting writes, except for a group that takes too long, then stops. */
  close(): Promise<void>
}

/** Commits a group of writes: in this thread, in another, in another process, or on a server. */
export interface Committer<Request, Result> {
  /** Resolves when the whole group is on disk. Rejects only if the committer itself failed. */
  commit(group: readonly Request[]): Promise<Result[]>
  close(): Promise<void>
}

/** A write that got no result from the committer. */
export interface Unanswered {
  /** For the client. */
  message: string
  /** Whether it was sent: it may be on disk, or be stored later. */
  mayHaveSucceeded: boolean
  /** For the log. */
  cause?: Error | undefined
}

export interface GroupingOptions<Request, Result> {
  /** Makes the result of a write that got none from the committer. */
  refusal: (unanswered: Unanswered) => Result
  /** What a result says about the write, for the statistics. */
  outcomeOf: (result: Result) => 'stored' | 'failed' | 'unknown'
  /**
   * Whether waiting writes fail together with a group that could not be committed. Otherwise they would wait twice for
   * a committer that takes seconds to fail.
   */
  failsTogether?: boolean
  /** The cost of a write, as a multiple of the cheapest. By default all cost the same. */
  costOf?: (request: Request) => number
  /** Whether this result means that waiting writes would fail in the same way after the same wait. */
  isOutage?: (result: Result) => boolean
  /** How long a write waits for its result. Default: for ever. */
  timeoutMs?: number | undefined
  /** Whether a write may take longer than `timeoutMs`, as an import does. */
  mayExceedTimeout?: (request: Request) => boolean
  /** Called when a group takes too long and when a committer failed. */
  failed?: (cause: Error) => void
}

/** With more queued writes or bytes, new writes are refused: the disk cannot keep up. */
const maxQueuedWrites = 10_000
const maxQueuedBytes = 32 * 1024 * 1024
/** The total cost of a group. Keeps a transaction short, and so the wait of the writes after it. */
export const maxGroupCost = 1_000
/** The total text of a group; a larger write is a group by itself. */
const maxGroupBytes = 1024 * 1024
/** How long a group waits for the writers of the last group. */
const gatherMs = 1

interface Waiting<Request, Result> {
  request: Request
  bytes: number
  settle: (result: Result) => void
  arrivedAt: number
}

/** The message for a write that was not stored. */
export const notStored = 'Nothing can be written right now; try again.'
/** The message for a write with an unknown outcome. */
export const unknownOutcome =
  'It is unknown whether the change was stored: try again. With an Idempotency-Key it is not stored twice.'

/**
 * Collects writes into groups: the next group forms while one is committed. Clients tend to write again right after a
 * response, so a group waits for as many writes as the last one had, or for a millisecond. This makes large groups even
 * on a disk so fast that few writes arrive during a commit. A single client never waits.
 * A write that waits longer than `timeoutMs` gets its result without the commit. Its group continues, because a disk
 * that hangs cannot be interrupted. Until it ends, new writes are refused at once.
 */
export function groupingWriter<Request, Result>(
  committer: Committer<Request, Result>,
  options: GroupingOptions<Request, Result>,
): GroupingWriter<Request, Result> {
  const {
    costOf = () => 1,
    isOutage = () => false,
    mayExceedTimeout = () => false,
    timeoutMs = Infinity,
    failed = () => undefined,
  } = options
  const queue: Waiting<Request, Result>[] = []
  let queuedBytes = 0
  let group: Waiting<Request, Result>[] = []
  let busy = false
  let scheduled = false
  let isOverdue = false
  let expected = 1
  let gathering: NodeJS.Timeout | undefined
  let closed = false
  let drained: (() => void) | undefined
  const counts = newWriterStats()

  function schedule(): void {
    if (scheduled || busy || queue.length === 0) return
    if (queue.length < expected && !closed) {
      gathering ??= setTimeout(send, gatherMs)
      return
    }
    send()
  }

  function send(): void {
    clearTimeout(gathering)
    gathering = undefined
    scheduled = true
    // After this turn of the event loop, so that all requests of the turn share the commit.
    setImmediate(() => void commitGroup())
  }

  function takeGroup(): Waiting<Request, Result>[] {
    let cost = 0
    let size = 0
    const end = queue.findIndex(({ request, bytes }, index) => {
      cost += costOf(request)
      size += bytes
      return (cost > maxGroupCost || size > maxGroupBytes) && index > 0
    })
    return dequeue(end === -1 ? queue.length : end)
  }

  /** Removes the first `count` writes from the queue. */
  function dequeue(count: number): Waiting<Request, Result>[] {
    const taken = queue.splice(0, count)
    for (const { bytes } of taken) queuedBytes -= bytes
    return taken
  }

  async function commitGroup(): Promise<void> {
    scheduled = false
    busy = true
    group = takeGroup()
    const timer = startTimer()
    const started = performance.now()
    try {
      const results = await committer.commit(group.map(({ request }) => request))
      noteCommit(counts, group.length, started)
      group.forEach((write, index) => settle(write, results[index] as Result))
      const last = results.at(-1) as Result
      if (isOutage(last)) for (const write of dequeue(queue.length)) settle(write, last)
    } catch (error) {
      // It is unknown whether the group is on disk. The next one may succeed: the committer recovers if it can.
      const cause = error as Error
      failed(cause)
      const unanswered = isOverdue ? group.filter((write) => !hasTimeout(write)) : group
      refuse(unanswered, { message: unknownOutcome, mayHaveSucceeded: true, cause })
      if (options.failsTogether) refuse(dequeue(queue.length), { message: notStored, mayHaveSucceeded: false, cause })
    }
    clearTimeout(timer)
    expected = Math.min(group.length + queue.length, maxGroupCost)
    group = []
    busy = false
    isOverdue = false
    schedule()
    if (queue.length === 0) drained?.()
  }

  /** Writes of a group arrived before those in the queue, so its timer is the first to expire. */
  function startTimer(): NodeJS.Timeout | undefined {
    if (timeoutMs === Infinity) return undefined
    const now = performance.now()
    const waitedMs = now - (group.find(hasTimeout)?.arrivedAt ?? now)
    return setTimeout(expire, Math.max(timeoutMs - waitedMs, 1))
  }

  function expire(): void {
    isOverdue = true
    const cause = new Error(`Nothing can be written: a write did not finish within ${timeoutMs} ms.`)
    failed(cause)
    refuse(group.filter(hasTimeout), { message: unknownOutcome, mayHaveSucceeded: true, cause })
    const waiting = dequeue(queue.length)
    refuse(waiting.filter(hasTimeout), { message: notStored, mayHaveSucceeded: false, cause })
    for (const write of waiting) if (!hasTimeout(write)) enqueue(write)
    if (queue.length === 0) drained?.()
  }

  function hasTimeout({ request }: Waiting<Request, Result>): boolean {
    return !mayExceedTimeout(request)
  }

  function settle(write: Waiting<Request, Result>, result: Result): void {
    // A write that took too long has its result already, and was counted.
    if (isOverdue && hasTimeout(write)) return
    counts[options.outcomeOf(result)]++
    write.settle(result)
  }

  function refuse(writes: readonly Waiting<Request, Result>[], unanswered: Unanswered): void {
    for (const write of writes) {
      const result = options.refusal(unanswered)
      // Of a write that was sent, an engine may know that it was not stored.
      counts[unanswered.mayHaveSucceeded ? options.outcomeOf(result) : 'refused']++
      write.settle(result)
    }
  }

  function enqueue(write: Waiting<Request, Result>): void {
    queue.push(write)
    queuedBytes += write.bytes
  }

  function perform(request: Request): Promise<Result> {
    const refused = (message: string) => {
      counts.refused++
      return Promise.resolve(options.refusal({ message, mayHaveSucceeded: false }))
    }
    if (closed) return refused('The service is stopping; try again.')
    if (isOverdue && !mayExceedTimeout(request)) return refused(notStored)
    if (queue.length >= maxQueuedWrites || queuedBytes >= maxQueuedBytes) {
      return refused('Too many writes are waiting; try again.')
    }
    return new Promise((settle) => {
      enqueue({ request, bytes: textBytes(request), settle, arrivedAt: performance.now() })
      schedule()
    })
  }

  return {
    perform,
    stats: () => ({ ...counts, queued: queue.length }),
    async close() {
      if (closed) return
      closed = true
      schedule()
      if ((busy && !isOverdue) || queue.length > 0) await new Promise<void>((resolve) => (drained = resolve))
      await committer.close()
    },
  }
}

/** The total size of all strings in a value. */
function textBytes(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value)
  if (typeof value !== 'object' || value === null) return 0
  let bytes = 0
  if (Array.isArray(value)) for (const part of value) bytes += textBytes(part)
  else for (const name in value) bytes += textBytes((value as Record<string, unknown>)[name])
  return bytes
}
