import { retryDelayMs } from './backoff.ts'
import { createDeadline, type Deadline } from './deadline.ts'
import { readDeprecation } from './deprecation.ts'
import { CallError, ConnectionError, TimeoutError } from './errors.ts'
import { describeFetchError, wasNeverSent } from './fetch-error.ts'
import type { CallOptions } from './options.ts'
import { randomId } from './random-id.ts'
import { positiveNumber, type RetryPolicy, type TransportOptions } from './read-options.ts'
import { type ApiRequest, buildRequest, type HttpRequest } from './request.ts'
import { type ApiResponse, type CallProgress, detailsOf, errorOf, readResponse } from './response.ts'
import { isGuarded, mayRetry } from './retry-rules.ts'
import { pause } from './timer.ts'

/** A successful response whose body is unread. The caller must clear the deadline. */
export interface OpenResponse {
  response: Response
  deadline: Deadline
  progress: CallProgress
}

/** Sends requests: one call, with as many attempts as the rules and the policy allow. */
export class Transport {
  readonly retry: RetryPolicy
  readonly timeoutMs: number
  readonly #options: TransportOptions
  readonly #warned = new Set<string>()

  constructor(options: TransportOptions) {
    this.retry = options.retry
    this.timeoutMs = options.timeoutMs
    this.#options = options
  }

  /** Resolves when the whole response has been read. `retry` replaces the client's policy. */
  async send(request: ApiRequest, options: CallOptions = {}, retry: RetryPolicy = this.retry): Promise<ApiResponse> {
    return this.#call(request, options, retry, async ({ response, deadline, progress }) => {
      const read = await deadline.race(readResponse(response, progress))
      deadline.clear()
      return read
    })
  }

  /** Resolves when the response begins. `retry` replaces the client's policy. */
  async open(request: ApiRequest, options: CallOptions, retry: RetryPolicy = this.retry): Promise<OpenResponse> {
    return this.#call(request, options, retry, async (open) => {
      open.deadline.pause()
      return open
    })
  }

  async #call<Result>(
    request: ApiRequest,
    { signal, timeoutMs = this.timeoutMs }: CallOptions,
    retry: RetryPolicy,
    read: (open: OpenResponse) => Promise<Result>,
  ): Promise<Result> {
    positiveNumber('timeoutMs', timeoutMs)
    const { operation } = request
    const requestId = randomId()
    const http = buildRequest(request, this.#options, requestId)
    const guarded = request.isRefusedTwice === true || isGuarded(http.init.headers)
    const endsAt = performance.now() + retry.totalTimeoutMs
    let mayHaveSucceeded = false
    for (let attempts = 1; ; attempts++) {
      const attempt = { http, signal, timeoutMs: Math.min(timeoutMs, endsAt - performance.now()) }
      try {
        return await this.#attempt(attempt, { operation, requestId, attempts, mayHaveSucceeded }, read)
      } catch (error) {
        if (!(error instanceof CallError) || !mayRetry(error.failure, operation.id, guarded)) throw error
        const delayMs = retryDelayMs(attempts, error, retry)
        if (attempts >= retry.maxAttempts || performance.now() + delayMs >= endsAt) throw error
        mayHaveSucceeded = error.mayHaveSucceeded
        await pause(delayMs, signal)
      }
    }
  }

  /** Rejects with a CallError, or with the reason of the signal. */
  async #attempt<Result>(
    { http, signal, timeoutMs }: { http: HttpRequest; signal: AbortSignal | undefined; timeoutMs: number },
    progress: CallProgress,
    read: (open: OpenResponse) => Promise<Result>,
  ): Promise<Result> {
    signal?.throwIfAborted()
    const deadline = createDeadline(signal)
    deadline.start(timeoutMs)
    const { fetch } = this.#options
    let current = progress
    try {
      const response = await deadline.race(fetch(http.url, { ...http.init, signal: deadline.signal }))
      current = { ...progress, requestId: response.headers.get('x-request-id') ?? progress.requestId }
      this.#warn(progress.operation.id, response.headers)
      if (response.ok) return await read({ response, deadline, progress: current })
      // The status alone decides, even if the body does not arrive.
      const text = await deadline.race(response.text()).catch(() => '')
      throw errorOf(response, text, current)
    } catch (error) {
      deadline.clear()
      signal?.throwIfAborted()
      if (error instanceof CallError) throw error
      if (deadline.isExpired) {
        throw new TimeoutError(`No response within ${Math.round(timeoutMs)} ms.`, detailsOf(current, 'lost'))
      }
      const failure = wasNeverSent(error) ? 'unreached' : 'lost'
      throw new ConnectionError(`No response: ${describeFetchError(error)}`, detailsOf(current, failure), error)
    }
  }

  #warn(operation: string, headers: Headers): void {
    if (this.#warned.has(operation)) return
    const warning = readDeprecation(operation, headers)
    if (warning === undefined) return
    this.#warned.add(operation)
    // Not awaited: the call does not fail because of it.
    Promise.resolve(warning)
      .then(this.#options.onWarning)
      .catch((error: unknown) => console.error('Pet Store: onWarning failed:', error))
  }
}
