import { unavailable } from '../../inventory/errors.ts'
import { mayPass } from './database.ts'
import type { WriteFailure, WriteName, WriteRequest, WriteResult, Writes } from './writes.ts'

/** What the engine writes through. */
export interface Writer {
  /** Resolves once the write is on disk. */
  write<Name extends WriteName>(name: Name, input: Parameters<Writes[Name]>[0]): Promise<ReturnType<Writes[Name]>>
  /** The same for a request of another process: a failure is a result too. */
  perform(request: WriteRequest): Promise<WriteResult>
  /** Throws when the last group could not even be tried. */
  check(): void
  /** Finishes what is waiting, then stops. */
  close(): Promise<void>
}

/** Where a group of writes is committed: in this thread, in another, or in another process. */
export interface Committer {
  /** Resolves once the whole group is on disk. Rejects only when the committer itself failed. */
  commit(group: readonly WriteRequest[]): Promise<WriteResult[]>
  close(): Promise<void>
}

/** Beyond this many, writes are refused: the disk cannot keep up and waiting longer helps nobody. */
const queueBound = 10_000
/** Keeps a transaction, and so the wait of those behind it, short. */
const groupBound = 1_000

/** How long a group waits for those who wrote together with the last one, in milliseconds. */
const patience = 1

interface Waiting {
  request: WriteRequest
  settle: (result: WriteResult) => void
}

/**
 * Gathers writes into groups: while one is being committed, the next one forms. Clients that were just answered tend to
 * write again at once, so a group waits for as many as there were last time, or for a millisecond. On a disk so fast that
 * few arrive during a commit, that still makes large groups of many busy clients; a lone client never waits.
 */
export function groupingWriter(committer: Committer): Writer {
  let queue: Waiting[] = []
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

  async function commitGroup(): Promise<void> {
    scheduled = false
    busy = true
    const group = queue.slice(0, groupBound)
    queue = queue.slice(groupBound)
    try {
      const results = await committer.commit(group.map(({ request }) => request))
      group.forEach(({ settle }, index) => settle(results[index] as WriteResult))
      failing = undefined
    } catch (error) {
      // Whether the group is on disk is unknown. The next one may fare better: the committer mends itself if it can.
      failing = error as Error
      for (const { settle } of group) settle(refusal('Nothing can be written right now; try again.', failing))
    }
    busy = false
    expected = Math.min(group.length + queue.length, groupBound)
    schedule()
    if (queue.length === 0) drained?.()
  }

  function perform(request: WriteRequest): Promise<WriteResult> {
    if (closed) return Promise.resolve(refusal('The service is stopping; try again.'))
    if (queue.length >= queueBound) return Promise.resolve(refusal('Too many writes are waiting; try again.'))
    return new Promise((settle) => {
      queue.push({ request, settle })
      schedule()
    })
  }

  return {
    perform,
    async write(name, input) {
      const result = await perform([name, input])
      if ('failure' in result) throw toError(result.failure)
      return result.value as never
    },
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

function refusal(message: string, cause?: Error): WriteResult {
  return { failure: { message, unavailable: true, cause: cause?.message } }
}

// A full disk or a held lock passes; anything else SQLite or we refuse is a bug and must look like one.
function toError({ message, sqliteCode: code, unavailable: refused, cause }: WriteFailure): Error {
  if (refused) return unavailable(message, cause === undefined ? undefined : new Error(cause))
  const error = new Error(message)
  return mayPass(code) ? unavailable('The change could not be stored right now; try again.', error) : error
}
