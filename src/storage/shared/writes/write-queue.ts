/** With more queued writes or bytes, new writes are refused: the disk cannot keep up. */
const maxQueuedWrites = 10_000
const maxQueuedBytes = 32 * 1024 * 1024
/** The total cost of a group. Keeps a transaction short, and so the wait of the writes after it. */
export const maxGroupCost = 1_000
/** The total text of a group; a larger write is a group by itself. */
const maxGroupBytes = 1024 * 1024

export interface QueuedWrite<Request, Result> {
  readonly request: Request
  readonly bytes: number
  readonly settle: (result: Result) => void
  /** By `performance.now`. */
  readonly arrivedAt: number
}

/** The writes that wait for their group, in order. */
export class WriteQueue<Request, Result> {
  readonly #costOf: (request: Request) => number
  readonly #writes: QueuedWrite<Request, Result>[] = []
  #bytes = 0

  constructor(costOf: (request: Request) => number) {
    this.#costOf = costOf
  }

  get length(): number {
    return this.#writes.length
  }

  get isFull(): boolean {
    return this.#writes.length >= maxQueuedWrites || this.#bytes >= maxQueuedBytes
  }

  add(request: Request, settle: (result: Result) => void): void {
    this.#push({ request, bytes: textBytes(request), settle, arrivedAt: performance.now() })
  }

  /** Removes the first writes, as many as one transaction may have. */
  takeGroup(): QueuedWrite<Request, Result>[] {
    let cost = 0
    let size = 0
    const end = this.#writes.findIndex(({ request, bytes }, index) => {
      cost += this.#costOf(request)
      size += bytes
      return (cost > maxGroupCost || size > maxGroupBytes) && index > 0
    })
    return this.#take(end === -1 ? this.#writes.length : end)
  }

  /** Removes the writes that are chosen. */
  takeAll(isChosen: (request: Request) => boolean = () => true): QueuedWrite<Request, Result>[] {
    const all = this.#take(this.#writes.length)
    for (const write of all) if (!isChosen(write.request)) this.#push(write)
    return all.filter(({ request }) => isChosen(request))
  }

  #push(write: QueuedWrite<Request, Result>): void {
    this.#writes.push(write)
    this.#bytes += write.bytes
  }

  #take(count: number): QueuedWrite<Request, Result>[] {
    const taken = this.#writes.splice(0, count)
    for (const { bytes } of taken) this.#bytes -= bytes
    return taken
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
