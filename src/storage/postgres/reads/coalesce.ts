// Reads of one tick of the event loop are sent together at its end. Every caller asked before the read began, so the
// result is not stale for any of them.

interface Waiting<Request, Result> {
  request: Request
  resolve: (result: Result | PromiseLike<Result>) => void
}

const maxBatch = 100

/**
 * Combines the reads of one tick into one, or a few: `read` takes them and resolves to a function that returns the
 * result of each.
 */
export function batchReads<Request, Result>(
  read: (requests: readonly Request[]) => Promise<(request: Request) => Result>,
): (request: Request) => Promise<Result> {
  const waiting: Waiting<Request, Result>[] = []

  function readAll(): void {
    const batch = waiting.splice(0, maxBatch)
    // The others, so that no result is too large: each row may have 64 KB.
    if (waiting.length > 0) readAll()
    const results = read(batch.map(({ request }) => request))
    for (const { request, resolve } of batch) resolve(results.then((resultOf) => resultOf(request)))
  }

  return (request) =>
    new Promise((resolve) => {
      if (waiting.length === 0) setImmediate(readAll)
      waiting.push({ request, resolve })
    })
}

/**
 * Shares one read among all callers that read the same `name` in one tick. They share the result and must not change
 * it.
 */
export function shareReads<Result>(): (name: string, read: () => Promise<Result>) => Promise<Result> {
  let waiting = new Map<string, Promise<Result>>()
  let begin: (() => void)[] = []

  function readAll(): void {
    const all = begin
    waiting = new Map()
    begin = []
    for (const each of all) each()
  }

  return (name, read) => {
    const known = waiting.get(name)
    if (known !== undefined) return known
    if (begin.length === 0) setImmediate(readAll)
    const result = new Promise<Result>((resolve) => begin.push(() => resolve(read())))
    waiting.set(name, result)
    return result
  }
}
