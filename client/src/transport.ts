import { retryDelayMs } from './backoff.ts'
import { callBack } from './callback.ts'
import { createDeadline, type Deadline } from './deadline.ts'
import { readDeprecation } from './deprecation.ts'
import { CallError, ConnectionError, TimeoutError } from './errors.ts'
import { describeFetchError, failureOfFetch } from './fetch-error.ts'
import type { RetryInfo } from './hooks.ts'
import type { CallOptions } from './options.ts'
import { randomId } from './random-id.ts'
import { positiveNumber, readRetryOptions, type TransportOptions } from './read-options.ts'
import { type ApiRequest, buildRequest, type HttpRequest } from './request.ts'
import { type ApiResponse, type CallProgress, detailsOf, errorOf, readResponse } from './response.ts'
import { isGuarded, mayRetry } from './retry-rules.ts'
import type { FetchedResponse, ResponseHeaders } from './runtime-types.ts'
import { pause } from './timer.ts'

/** A successful response whose body is unread. The caller must clear the deadline. */
export interface OpenResponse {
  response: FetchedResponse
  deadline: Deadline
  progress: CallProgress
}

interface Attempt {
  http: HttpRequest
  signal: AbortSignal | null | undefined
  timeoutMs: number
}

/** Sends requests: one call, with as many attempts as the rules and the policy allow. */
export class Transport {
  readonly options: TransportOptions
  readonly #warned = new Set<string>()

  constructor(options: TransportOptions) {
    this.options = options
  }

  /** Resolves when the whole response has been read. */
  async send(request: ApiRequest, options: CallOptions = {}): Promise<ApiResponse> {
    return this.#call(request, options, async ({ response, deadline, progress }) => {
      const read = await deadline.race(readResponse(response, progress))
      deadline.clear()
      return read
    })
  }

  /** Resolves when the response begins. */
  async open(request: ApiRequest, options: CallOptions): Promise<OpenResponse> {
    return this.#call(request, options, async (open) => {
      open.deadline.pause()
      return open
    })
  }

  /** Tells the caller of an attempt that is followed by another one. */
  reportRetry(retry: RetryInfo): void {
    callBack('onRetry', this.options.onRetry, retry)
  }

  async #call<Result>(
    request: ApiRequest,
    options: CallOptions,
    read: (open: OpenResponse) => Promise<Result>,
  ): Promise<Result> {
    const { signal, timeoutMs = this.options.timeoutMs } = options
    positiveNumber('timeoutMs', timeoutMs)
    const retry = readRetryOptions(options.retry, options.timeoutMs, this.options.retry)
    const { operation } = request
    const http = buildRequest(request, this.options, randomId(), options.headers)
    const guarded = request.isRefusedTwice === true || isGuarded(http.headers)
    const progress = {
      operation,
      requestId: http.headers.get('x-request-id') as string,
      idempotencyKey: http.headers.get('idempotency-key') ?? undefined,
    }
    const endsAt = performance.now() + retry.totalTimeoutMs
    let mayHaveSucceeded = false
    for (let attempts = 1; ; attempts++) {
      const attempt = { http, signal, timeoutMs: Math.min(timeoutMs, endsAt - performance.now()) }
      try {
        return await this.#attempt(attempt, { ...progress, attempts, mayHaveSucceeded }, read)
      } catch (error) {
        if (!(error instanceof CallError) || !mayRetry(error.failure, operation.id, guarded)) throw error
        const delayMs = retryDelayMs(attempts, error, retry)
        if (attempts >= retry.maxAttempts || performance.now() + delayMs >= endsAt) throw error
        mayHaveSucceeded = error.mayHaveSucceeded
        this.reportRetry({ operation: operation.id, attempt: attempts, error, delayMs })
        await pause(delayMs, signal)
      }
    }
  }

  /** Rejects with a CallError, with the reason of the signal, or with what `apiKey` throws. */
  async #attempt<Result>(
    { http, signal, timeoutMs }: Attempt,
    progress: CallProgress,
    read: (open: OpenResponse) => Promise<Result>,
  ): Promise<Result> {
    signal?.throwIfAborted()
    const deadline = createDeadline(signal)
    deadline.start(timeoutMs)
    const { apiKey, fetch, onRequest, onResponse } = this.options
    const { url, method, openBody } = http
    let current = progress
    let isSent = false
    try {
      const authorization = `Bearer ${await deadline.race(apiKey())}`
      const headers = { ...Object.fromEntries(http.headers), authorization }
      const told = { operation: progress.operation.id, attempt: progress.attempts }
      callBack('onRequest', onRequest, { ...told, requestId: progress.requestId, method, url, headers })
      const body = await deadline.race(openBody())
      // The service never redirects, and following a redirect could turn a POST into a GET. `duplex` is for streams.
      const init = { method, headers, body, duplex: 'half', redirect: 'manual' as const, signal: deadline.signal }
      isSent = true
      const sentAt = performance.now()
      const response = await deadline.race(fetch(url, init, timeoutMs))
      const requestId = response.headers.get('x-request-id') ?? progress.requestId
      const details = { status: response.status, requestId, headers: response.headers }
      callBack('onResponse', onResponse, { ...told, ...details, durationMs: performance.now() - sentAt })
      current = { ...progress, requestId, response: details }
      this.#warn(told.operation, response.headers)
      const isUnchanged = response.status === 304 && method === 'GET' && http.headers.has('if-none-match')
      if (response.ok || isUnchanged) return await read({ response, deadline, progress: current })
      // The status alone decides, even if the body does not arrive.
      throw errorOf(await deadline.race(response.text()).catch(() => ''), current)
    } catch (error) {
      deadline.clear()
      signal?.throwIfAborted()
      if (error instanceof CallError || !(isSent || deadline.isExpired)) throw error
      if (deadline.isExpired) {
        const details = detailsOf(current, isSent ? 'lost' : 'unreached')
        throw new TimeoutError(`No response within ${Math.round(timeoutMs)} ms.`, details)
      }
      const message = `No response: ${describeFetchError(error)}`
      throw new ConnectionError(message, detailsOf(current, failureOfFetch(error)), error)
    }
  }

  #warn(operation: string, headers: ResponseHeaders): void {
    if (this.#warned.has(operation)) return
    const warning = readDeprecation(operation, headers)
    if (warning === undefined) return
    this.#warned.add(operation)
    callBack('onWarning', this.options.onWarning, warning)
  }
}
