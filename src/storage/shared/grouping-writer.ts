import { unavailable } from '../../inventory/errors.ts'

/** Commits writes together that are asked for one by one. What a request and its result are, is the engine's affair. */
export interface GroupingWriter<Request, Result> {
  /** Resolves once the write is on disk, or has failed: a failure is a result too. */
  perform(request: Request): Promise<Result>
  /** Throws when the last group could not even be tried. */
  check(): void
  /** Finishes what is waiting, then stops. */
  close(): Promise<void>
}

/** Where a group of writes is committed: in this thread, in another, in another process, or on a server. */
export interface Committer<Request, Result> {
  /** Resolves once the whole group is on disk. Rejects only when the committer itself failed. */
  commit(group: readonly Request[]): Promise<Result[]>
  close(): Promise<void>
}

export interface GroupingOptions<Request, Result> {
  /** The result of a write that is refused before it comes to a transaction: it may go better in a moment. */
  refusal: (message: string, cause?: Error) => Result
  /**
   * Whether those who wait fail together with a group that the committer could not commit. Where it takes the committer
   * seconds to fail, they would otherwise wait for that twice.
   */
  failsTogether?: boolean
  /** How long a write takes, as a multiple of the fastest. Without it, all take the same. */
  costOf?: (request: Request) => number
}

/** Beyond this many, writes are refused: the disk cannot keep up and waiting longer helps nobody. */
const queueBound = 10_000
/** What the writes of a group cost together. Keeps a transaction, and so the wait of those behind it, short. */
const maxGroupCost = 1_000

/** How long a group waits for those who wrote together with the last one, in milliseconds. */
const patience = 1

interface Waiting<Request, Result> {
  request: Request
  settle: (result: Result) => void
}

/**
 * Gathers writes into groups: while one is being committed, the next one forms. Clients that were just answered tend to
 * write again at once, so a group waits for as many as there were last time, or for a millisecond. On a disk so fast that
 * few arrive during a commit, that still makes large groups of many busy clients; a lone client never waits.
 */
export function groupingWriter<Request, Result>(
  committer: Committer<Request, Result>,
  { refusal, failsTogether = false, costOf = () => 1 }: GroupingOptions<Request, Result>,
): GroupingWriter<Request, Result> {
  const queue: Waiting<Request, Result>[] = []
  let busy = false
  let scheduled = false
  let expected = 1
  let deadline: NodeJS.Timeout | undefined
  let closed = false
  let failing: Error | undefined
  let drained: (() => void) | undefined

  function schedule(): void {
    if (scheduled || busy || queue.length === 0) return
    if (queue.length < expected && !closed) {
      deadline ??= setTimeout(send, patience)
      return
    }
    send()
  }

  function send(): void {
    clearTimeout(deadline)
    deadline = undefined
    scheduled = true
    // After this turn of the event loop: all requests that arrived in it share the commit.
    setImmediate(() => void commitGroup())
  }

  function takeGroup(): Waiting<Request, Result>[] {
    let cost = 0
    const end = queue.findIndex(({ request }, index) => (cost += costOf(request)) > maxGroupCost && index > 0)
    return queue.splice(0, end === -1 ? queue.length : end)
  }

  async function commitGroup(): Promise<void> {
    scheduled = false
    busy = true
    const group = takeGroup()
    try {
      const results = await committer.commit(group.map(({ request }) => request))
      group.forEach(({ settle }, index) => settle(results[index] as Result))
      failing = undefined
    } catch (error) {
      // Whether the group is on disk is unknown. The next one may fare better: the committer mends itself if it can.
      failing = error as Error
      const lost = failsTogether ? [...group, ...queue.splice(0)] : group
      for (const { settle } of lost) settle(refusal('Nothing can be written right now; try again.', failing))
    }
    busy = false
    expected = Math.min(group.length + queue.length, maxGroupCost)
    schedule()
    if (queue.length === 0) drained?.()
  }

  function perform(request: Request): Promise<Result> {
    if (closed) return Promise.resolve(refusal('The service is stopping; try again.'))
    if (queue.length >= queueBound) return Promise.resolve(refusal('Too many writes are waiting; try again.'))
    return new Promise((settle) => {
      queue.push({ request, settle })
      schedule()
    })
  }

  return {
    perform,
    check() {
      if (failing !== undefined) throw unavailable('Nothing can be written.', failing)
    },
    async close() {
      if (closed) return
      closed = true
      schedule()
      if (busy || queue.length > 0) await new Promise<void>((resolve) => (drained = resolve))
      await committer.close()
    },
  }
}
