import { channel } from 'node:diagnostics_channel'
import { Worker } from 'node:worker_threads'
import { type Calls, connectCalls, type Functions } from './calls.ts'

export type ThreadName = 'writer' | 'search' | 'backup' | 'delivery'

export interface ThreadOptions {
  name: ThreadName
  /** Has `run`, which gets `data` and the calls of `functions`, and returns what the thread offers. */
  module: URL
  data?: unknown
  /** What this thread offers the new one. */
  functions?: Functions
}

export interface Thread<Theirs extends Functions> extends Pick<Calls<Theirs>, 'call'> {
  /** As `call`. A thread without a result in time hangs: it is given up, and every call of it is rejected. */
  callWithin<Name extends keyof Theirs & string>(
    timeoutMs: number,
    name: Name,
    ...input: Parameters<Theirs[Name]>
  ): Promise<Awaited<ReturnType<Theirs[Name]>>>

  /** Whether it has ended, or was given up. */
  readonly hasEnded: boolean
  /** Resolves when it has ended, or was given up, to the reason. */
  readonly ended: Promise<Error>
  /** Ends it, within `timeoutMs`, or gives it up. */
  end(timeoutMs?: number): Promise<void>
  /** Whether it keeps the process running. It does at first. */
  keepProcess(isNeeded: boolean): void
}

/** A thread gave no result in time. Nothing can interrupt a thread that waits for a stalled disk. */
export class ThreadHangs extends Error {
  override readonly name = 'ThreadHangs'
}

export interface ThreadEvent {
  thread: ThreadName
  /** `hangs`: it was given up. `failed`: it ended by itself. `wentOn`: one that was given up has ended after all. */
  event: 'hangs' | 'failed' | 'wentOn'
  reason: string
}

/** Told of every `ThreadEvent`: the program that runs the threads logs and counts them. */
export const threadEvents = channel('petstore:threads')

const defaultEndTimeoutMs = 1_000
/** The longest time of a timer. */
const maxTimeoutMs = 2 ** 31 - 1
const givenUp = new Map<Worker, ThreadName>()

/** The names of threads that hang and have not ended. A process that ends in the usual way waits for them. */
export function hungThreads(): ThreadName[] {
  return [...givenUp.values()]
}

/** Starts a thread. It is up to the caller to start another when it has ended. */
export function startThread<Theirs extends Functions>(options: ThreadOptions): Thread<Theirs> {
  const { name, module, data, functions = {} } = options
  const worker = new Worker(new URL('./start.js', import.meta.url), { name, workerData: { module: module.href, data } })
  return superviseThread(name, worker, functions)
}

/** The calls of a thread that speaks as threads/start.js does. */
export function superviseThread<Theirs extends Functions>(
  name: ThreadName,
  worker: Worker,
  functions: Functions = {},
): Thread<Theirs> {
  let isEnding = false
  let hasEnded = false
  const { promise: ended, resolve: reportEnd } = Promise.withResolvers<Error>()
  const calls = connectCalls<Theirs>(
    {
      send: (message) => worker.postMessage(message),
      sendPort: (message, port) => worker.postMessage(message, [port]),
      // What a thread says after it was given up is void: another may have taken its place.
      on: (event, listener) => worker.on(event, (message: unknown) => hasEnded || listener(message)),
    },
    functions,
  )

  function tell(event: ThreadEvent['event'], reason: string): void {
    threadEvents.publish({ thread: name, event, reason } satisfies ThreadEvent)
  }

  function finish(reason: Error): void {
    if (hasEnded) return
    hasEnded = true
    calls.end(reason)
    reportEnd(reason)
  }

  function giveUp(reason: ThreadHangs): void {
    if (hasEnded) return
    givenUp.set(worker, name)
    worker.unref()
    void worker.terminate()
    tell('hangs', reason.message)
    finish(reason)
  }

  worker.on('error', (error: Error) => {
    if (!hasEnded && !isEnding) tell('failed', error.message)
    finish(error)
  })
  worker.on('exit', () => {
    if (givenUp.delete(worker)) tell('wentOn', `The ${name} thread that hung has ended.`)
    else if (!hasEnded && !isEnding) tell('failed', `The ${name} thread has ended.`)
    finish(new Error(`The ${name} thread has ended.`))
  })

  /** The result, or a thread that is given up. */
  async function within<Result>(timeoutMs: number, work: Promise<Result>): Promise<Result> {
    let last: NodeJS.Immediate | undefined
    // Made only if it is needed: an error records where it was made.
    const hang = () => giveUp(new ThreadHangs(`The ${name} thread gave no result within ${timeoutMs} ms.`))
    // If this process stood still, the result may have arrived meanwhile: timers come first, then what was received.
    const timer = setTimeout(() => (last = setImmediate(hang)), Math.min(timeoutMs, maxTimeoutMs))
    try {
      return await work
    } finally {
      clearTimeout(timer)
      clearImmediate(last)
    }
  }

  function call<Name extends keyof Theirs & string>(callName: Name, ...input: Parameters<Theirs[Name]>) {
    return hasEnded ? ended.then((reason) => Promise.reject(reason)) : calls.call(callName, ...input)
  }

  return {
    call,
    callWithin: (timeoutMs, callName, ...input) => within(timeoutMs, call(callName, ...input)),
    get hasEnded() {
      return hasEnded
    },
    ended,
    async end(timeoutMs = defaultEndTimeoutMs) {
      isEnding = true
      if (hasEnded) return
      await within(timeoutMs, Promise.race([worker.terminate(), ended]))
    },
    keepProcess: (isNeeded) => (isNeeded ? worker.ref() : worker.unref()),
  }
}
