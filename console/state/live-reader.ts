import { failureOf, isTransient } from '../api/failure.ts'
import { feedSettled, isFeedLive } from './feed.ts'

/** Changes within this time cause one read. */
const coalesceMs = 300
/** The minimum time between reads: half of a rate limit of 60 a minute. */
const minIntervalMs = 2_000
/** The maximum share of time that reads may take on a slow service. */
const maxLoad = 0.1
const maxRetryDelayMs = 60_000

export interface ReadState<Result> {
  result?: Result | undefined
  error?: unknown
  isLoading: boolean
}

/** Keeps a result up to date. Reads one at a time, so an older response never replaces a newer one. */
export class LiveReader<Result> {
  readonly #read: (signal: AbortSignal) => Promise<Result>
  readonly #onState: (state: ReadState<Result>) => void
  readonly #stopping = new AbortController()
  #state: ReadState<Result> = { isLoading: true }
  #reading: Promise<void> | undefined
  #queued: Promise<void> | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  /** Changes since the current read began: its response may be older. */
  #meanwhile: ((result: Result) => Result)[] = []
  #hasStarted = false
  #isOutdated = false
  #nextReadAt = 0
  #failures = 0

  constructor(read: (signal: AbortSignal) => Promise<Result>, onState: (state: ReadState<Result>) => void) {
    this.#read = read
    this.#onState = onState
  }

  get state(): ReadState<Result> {
    return this.#state
  }

  /** The first read waits for the stream of events, so that nothing is missed in between. */
  async start(): Promise<void> {
    await feedSettled()
    await this.reload()
  }

  stop(): void {
    this.#stopping.abort()
    clearTimeout(this.#timer)
  }

  /** Shows a change before it has been read. */
  patch(change: (result: Result) => Result): void {
    if (this.#reading !== undefined) this.#meanwhile.push(change)
    const { result } = this.#state
    if (result === undefined) return
    const changed = change(result)
    // Most events are about something that is not shown: then nothing is rendered.
    if (changed !== result) this.#set({ ...this.#state, result: changed })
  }

  /** Schedules one read, however often it is called, if the page is visible. */
  refresh(): void {
    if (!this.#hasStarted || this.#stopping.signal.aborted) return
    this.#isOutdated = true
    if (this.#reading !== undefined || document.visibilityState === 'hidden') return
    this.#schedule(Math.max(coalesceMs, this.#nextReadAt - performance.now()))
  }

  /** The page may be visible again. Without a stream anything may have changed. */
  onVisible(): void {
    if (document.visibilityState === 'visible' && (this.#isOutdated || !isFeedLive())) this.refresh()
  }

  /** The service can be reached again. */
  resume(): void {
    if (this.#state.error !== undefined) this.refresh()
  }

  /** Reads now, or after the current read. Resolves to the result, if it succeeded. */
  async reload(): Promise<Result | undefined> {
    this.#hasStarted = true
    this.#queued ??= (this.#reading ?? Promise.resolve()).then(() => {
      this.#queued = undefined
      this.#reading = this.#readOnce()
      return this.#reading
    })
    await this.#queued
    return this.#state.error === undefined ? this.#state.result : undefined
  }

  async #readOnce(): Promise<void> {
    const { signal } = this.#stopping
    if (signal.aborted) return
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#isOutdated = false
    this.#meanwhile = []
    const startedAt = performance.now()
    this.#set({ ...this.#state, isLoading: true })
    try {
      const read = await this.#read(signal)
      this.#set({ result: this.#meanwhile.reduce<Result>((result, change) => change(result), read), isLoading: false })
      this.#failures = 0
    } catch (error) {
      this.#set({ ...this.#state, error, isLoading: false })
      if (isTransient(error)) this.#retry(error)
    }
    this.#reading = undefined
    const tookMs = performance.now() - startedAt
    this.#nextReadAt = startedAt + Math.max(minIntervalMs, tookMs / maxLoad)
    if (this.#isOutdated && this.#state.error === undefined) this.refresh()
  }

  #retry(error: unknown): void {
    const { retryAfterSeconds = 0 } = failureOf(error)
    const delayMs = Math.min(maxRetryDelayMs, 5_000 * 2 ** this.#failures++)
    this.#schedule(Math.max(delayMs, retryAfterSeconds * 1000))
  }

  #schedule(delayMs: number): void {
    if (this.#stopping.signal.aborted) return
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      void this.reload()
    }, delayMs)
  }

  #set(state: ReadState<Result>): void {
    if (this.#stopping.signal.aborted) return
    this.#state = state
    this.#onState(state)
  }
}
