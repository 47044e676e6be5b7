import type { WriterStats } from '../../../inventory/storage-stats.ts'
import { groupDeadline, type GroupDeadlineOptions } from './group-deadline.ts'
import { notStored, type Unanswered, unknownOutcome } from './unanswered.ts'
import { maxGroupCost, type QueuedWrite, WriteQueue } from './write-queue.ts'
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

export interface GroupingOptions<Request, Result> extends GroupDeadlineOptions<Request> {
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
  /** Called when a group takes too long and when a committer failed. */
  failed?: (cause: Error) => void
}

/** A group waits for the writers of the last group: the longest pause between two writes, and the longest wait in all. */
const gatherMs = 1
const maxGatherMs = 4

/**
 * Collects writes into groups: the next group forms while one is committed. Clients tend to write again right after a
 * response, so a group waits for as many writes as the last one had, or until none arrives for a millisecond. This makes
 * large groups even on a disk so fast that few writes arrive during a commit. A single client never waits.
 * A write that waits longer than `timeoutMs` gets its result without the commit. Its group continues, because a disk
 * that hangs cannot be interrupted. Until it ends, new writes are refused at once.
 */
export function groupingWriter<Request, Result>(
  committer: Committer<Request, Result>,
  options: GroupingOptions<Request, Result>,
): GroupingWriter<Request, Result> {
  const { costOf = () => 1, isOutage = () => false, failed = () => undefined } = options
  const queue = new WriteQueue<Request, Result>(costOf)
  const deadline = groupDeadline(options, refuseOverdue)
  const counts = newWriterStats()
  let state: 'idle' | 'gathering' | 'scheduled' | 'committing' = 'idle'
  let group: readonly QueuedWrite<Request, Result>[] = []
  let expectedWrites = 1
  let gathering: NodeJS.Timeout | undefined
  let closed = false
  let drained: (() => void) | undefined

  function schedule(): void {
    if (state === 'scheduled' || state === 'committing' || queue.length === 0) return
    if (queue.length >= expectedWrites || closed) return commitAfterTick()
    if (state === 'gathering') return
    state = 'gathering'
    gather(performance.now() + maxGatherMs)
  }

  /** A busy event loop takes longer than `gatherMs` to parse requests that have arrived. */
  function gather(until: number): void {
    const { length } = queue
    const go = () => (queue.length > length && performance.now() < until ? gather(until) : commitAfterTick())
    gathering = setTimeout(go, Math.max(0, Math.min(gatherMs, until - performance.now())))
  }

  /** All requests of a tick of the event loop share the commit. */
  function commitAfterTick(): void {
    clearTimeout(gathering)
    state = 'scheduled'
    setImmediate(() => void commitGroup())
  }

  async function commitGroup(): Promise<void> {
    state = 'committing'
    group = queue.takeGroup()
    deadline.start(group)
    const startedAt = performance.now()
    try {
      const results = await committer.commit(group.map(({ request }) => request))
      noteCommit(counts, group.length, startedAt)
      group.forEach((write, index) => settle(write, results[index] as Result))
      const last = results.at(-1) as Result
      if (isOutage(last)) for (const write of queue.takeAll()) settle(write, last)
    } catch (error) {
      // It is unknown whether the group is on disk. The next one may succeed: the committer recovers if it can.
      const cause = error as Error
      failed(cause)
      const unanswered = group.filter(({ request }) => !deadline.hasPassedFor(request))
      refuse(unanswered, { message: unknownOutcome, mayHaveSucceeded: true, cause })
      if (options.failsTogether) refuse(queue.takeAll(), { message: notStored, mayHaveSucceeded: false, cause })
    }
    deadline.end()
    expectedWrites = Math.min(group.length + queue.length, maxGroupCost)
    group = []
    state = 'idle'
    schedule()
    if (queue.length === 0) drained?.()
  }

  /** Of the group that is being committed, and of the queue. */
  function refuseOverdue(cause: Error): void {
    failed(cause)
    const overdue = group.filter(({ request }) => deadline.applies(request))
    refuse(overdue, { message: unknownOutcome, mayHaveSucceeded: true, cause })
    refuse(queue.takeAll(deadline.applies), { message: notStored, mayHaveSucceeded: false, cause })
    if (queue.length === 0) drained?.()
  }

  function settle(write: QueuedWrite<Request, Result>, result: Result): void {
    if (deadline.hasPassedFor(write.request)) return
    counts[options.outcomeOf(result)]++
    write.settle(result)
  }

  function refuse(writes: readonly QueuedWrite<Request, Result>[], unanswered: Unanswered): void {
    for (const write of writes) {
      const result = options.refusal(unanswered)
      // Of a write that was sent, an engine may know that it was not stored.
      counts[unanswered.mayHaveSucceeded ? options.outcomeOf(result) : 'refused']++
      write.settle(result)
    }
  }

  function perform(request: Request): Promise<Result> {
    const refused = (message: string) => {
      counts.refused++
      return Promise.resolve(options.refusal({ message, mayHaveSucceeded: false }))
    }
    if (closed) return refused('The service is stopping; try again.')
    if (deadline.hasPassedFor(request)) return refused(notStored)
    if (queue.isFull) return refused('Too many writes are waiting; try again.')
    return new Promise((resolve) => {
      queue.add(request, resolve)
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
      const mustWait = (state === 'committing' && !deadline.hasPassed()) || queue.length > 0
      if (mustWait) await new Promise<void>((resolve) => (drained = resolve))
      await committer.close()
    },
  }
}
