/** Commits writes together that are asked for one by one. What a request and its result are, is the engine's affair. */
export interface GroupingWriter<Request, Result> {
  /** Resolves once the write is on disk, or has failed: a failure is a result too. */
  perform(request: Request): Promise<Result>
  /** Finishes what is waiting, but for a group that takes too long, then stops. */
  close(): Promise<void>
}

/** Where a group of writes is committed: in this thread, in another, in another process, or on a server. */
export interface Committer<Request, Result> {
  /** Resolves once the whole group is on disk. Rejects only when the committer itself failed. */
  commit(group: readonly Request[]): Promise<Result[]>
  close(): Promise<void>
}

/** A write without a result from the committer. */
export interface Unanswered {
  /** For the client. */
  message: string
  /** Whether it was on its way: it may be on disk, or may still come to be. */
  mayHaveSucceeded: boolean
  /** For the log. */
  cause?: Error | undefined
}

export interface GroupingOptions<Request, Result> {
  /** The result of a write that the committer did not answer. */
  refusal: (unanswered: Unanswered) => Result
  /**
   * Whether those who wait fail together with a group that the committer could not commit. Where it takes the committer
   * seconds to fail, they would otherwise wait for that twice.
   */
  failsTogether?: boolean
  /** How long a write takes, as a multiple of the fastest. Without it, all take the same. */
  costOf?: (request: Request) => number
  /** Whether the result of a write tells that those who wait would get the same, after waiting as long. */
  isOutage?: (result: Result) => boolean
  /** How long a write waits for its result, in milliseconds. For ever, unless it is given. */
  timeoutMs?: number | undefined
  /** Whether a write may take longer than that, as an import does. */
  isPatient?: (request: Request) => boolean
  /** Called when a group takes too long, and when a committer failed. */
  failed?: (cause: Error) => void
}

/** Beyond this many, or this much text, writes are refused: the disk cannot keep up and waiting longer helps nobody. */
const maxQueuedWrites = 10_000
const maxQueuedBytes = 32 * 1024 * 1024
/** What the writes of a group cost together. Keeps a transaction, and so the wait of those behind it, short. */
const maxGroupCost = 1_000
/** How much text the writes of a group have together; a larger write is a group of its own. */
const maxGroupBytes = 1024 * 1024
/** How long a group waits for those who wrote together with the last one. */
const gatherMs = 1

interface Waiting<Request, Result> {
  request: Request
  bytes: number
  settle: (result: Result) => void
  arrivedAt: number
}

/** For the client of a write that was not stored. */
export const notStored = 'Nothing can be written right now; try again.'
/** For the client of a write of which that is not known. */
export const unknownOutcome =
  'It is unknown whether the change was stored: try again. With an Idempotency-Key it is not stored twice.'

/**
 * Gathers writes into groups: while one is being committed, the next one forms. Clients that were just answered tend to
 * write again at once, so a group waits for as many as there were last time, or for a millisecond. On a disk so fast that
 * few arrive during a commit, that still makes large groups of many busy clients; a lone client never waits.
 *
 * A write that waits longer than `timeoutMs` is answered all the same. Its group goes on: nothing stops a disk that hangs.
 * Until that has ended, nothing else can be written and new writes are refused at once.
 */
export function groupingWriter<Request, Result>(
  committer: Committer<Request, Result>,
  options: GroupingOptions<Request, Result>,
): GroupingWriter<Request, Result> {
  const {
    costOf = () => 1,
    isOutage = () => false,
    isPatient = () => false,
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
    // After this turn of the event loop: all requests that arrived in it share the commit.
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
    return takeOut(end === -1 ? queue.length : end)
  }

  /** Takes the first so many out of the queue. */
  function takeOut(count: number): Waiting<Request, Result>[] {
    const taken = queue.splice(0, count)
    for (const { bytes } of taken) queuedBytes -= bytes
    return taken
  }

  async function commitGroup(): Promise<void> {
    scheduled = false
    busy = true
    group = takeGroup()
    const timer = startTimer()
    try {
      const results = await committer.commit(group.map(({ request }) => request))
      group.forEach(({ settle }, index) => settle(results[index] as Result))
      const last = results.at(-1) as Result
      if (isOutage(last)) for (const { settle } of takeOut(queue.length)) settle(last)
    } catch (error) {
      // Whether the group is on disk is unknown. The next one may fare better: the committer mends itself if it can.
      const cause = error as Error
      failed(cause)
      refuse(group, { message: unknownOutcome, mayHaveSucceeded: true, cause })
      if (options.failsTogether) refuse(takeOut(queue.length), { message: notStored, mayHaveSucceeded: false, cause })
    }
    clearTimeout(timer)
    expected = Math.min(group.length + queue.length, maxGroupCost)
    group = []
    busy = false
    isOverdue = false
    schedule()
    if (queue.length === 0) drained?.()
  }

  /** Everyone in a group arrived before those who wait for the next one. */
  function startTimer(): NodeJS.Timeout | undefined {
    if (timeoutMs === Infinity) return undefined
    const now = performance.now()
    const waitedMs = now - (group.find(isImpatient)?.arrivedAt ?? now)
    return setTimeout(expire, Math.max(timeoutMs - waitedMs, 1))
  }

  function expire(): void {
    isOverdue = true
    const cause = new Error(`Nothing can be written: a write did not finish within ${timeoutMs} ms.`)
    failed(cause)
    refuse(group.filter(isImpatient), { message: unknownOutcome, mayHaveSucceeded: true, cause })
    const waiting = takeOut(queue.length)
    refuse(waiting.filter(isImpatient), { message: notStored, mayHaveSucceeded: false, cause })
    for (const write of waiting) if (!isImpatient(write)) enqueue(write)
    if (queue.length === 0) drained?.()
  }

  function isImpatient({ request }: Waiting<Request, Result>): boolean {
    return !isPatient(request)
  }

  /** To one that has a result already, this changes nothing. */
  function refuse(writes: readonly Waiting<Request, Result>[], unanswered: Unanswered): void {
    for (const { settle } of writes) settle(options.refusal(unanswered))
  }

  function enqueue(write: Waiting<Request, Result>): void {
    queue.push(write)
    queuedBytes += write.bytes
  }

  function perform(request: Request): Promise<Result> {
    const refused = (message: string) => Promise.resolve(options.refusal({ message, mayHaveSucceeded: false }))
    if (closed) return refused('The service is stopping; try again.')
    if (isOverdue && !isPatient(request)) return refused(notStored)
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
    async close() {
      if (closed) return
      closed = true
      schedule()
      if ((busy && !isOverdue) || queue.length > 0) await new Promise<void>((resolve) => (drained = resolve))
      await committer.close()
    },
  }
}

/** How many bytes all texts in a value have. */
function textBytes(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value)
  if (typeof value !== 'object' || value === null) return 0
  let bytes = 0
  for (const part of Object.values(value)) bytes += textBytes(part)
  return bytes
}
