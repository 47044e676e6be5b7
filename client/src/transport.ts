import { retryDelayMs } from './backoff.ts'
import { callBack } from './hooks.ts'
import { createDeadline, type Deadline, pause } from './deadline.ts'
import { readDeprecation } from './deprecation.ts'
import { CallError, ConnectionError } from './errors.ts'
import { describeFetchError, failureOfFetch } from './fetch-error.ts'
import type { SendOptions } from './options.ts'
import { positiveNumber, readRetryOptions, type TransportOptions } from './read-options.ts'
import { type ApiRequest, buildRequest, type HttpRequest } from './request.ts'
import {
  type ApiResponse,
  type CallProgress,
  detailsOf,
  errorOf,
  type OpenResponse,
  readResponse,
  timedOut,
} from './response.ts'
import { isGuarded, mayRetry } from './retry-rules.ts'
import type { ResponseHeaders } from './runtime-types.ts'

/** Sends requests: one call, with as many attempts as the rules and the policy allow. */
export class Transport {
  readonly options: TransportOptions
  readonly #warned = new Set<string>()

  constructor(options: TransportOptions) {
    this.options = options
  }

  /** Resolves when the whole response has been read. */
  async send(request: ApiRequest, options: SendOptions = {}): Promise<ApiResponse> {
    return this.#call(request, options, readResponse)
  }

  /** Resolves when the response begins. */
  async open(request: ApiRequest, options: SendOptions): Promise<OpenResponse> {
    return this.#call(request, options, async (open) => {
      open.deadline.pause()
      return open
    })
  }

  async #call<Result>(
    request: ApiRequest,
    options: SendOptions,
    read: (open: OpenResponse) => Promise<Result>,
  ): Promise<Result> {
    const { signal, timeoutMs = this.options.timeoutMs } = options
    positiveNumber('timeoutMs', timeoutMs)
    const retry = readRetryOptions(options.retry, options.timeoutMs, this.options.retry)
    const { operation } = request
    const http = buildRequest(request, this.options, options)
    const guarded = request.isRefusedTwice || isGuarded(http.headers)
    const progress: CallProgress = {
      operation,
      requestId: http.headers.get('x-request-id') as string,
      idempotencyKey: http.headers.get('idempotency-key') ?? undefined,
      attempts: 0,
      mayHaveSucceeded: false,
    }
    const endsAt = performance.now() + retry.totalTimeoutMs
    for (;;) {
      const attempt = ++progress.attempts
      progress.response = undefined
      const deadline = createDeadline(signal)
      const leftMs = endsAt - performance.now()
      try {
        return await this.#attempt(http, progress, deadline, Math.min(timeoutMs, leftMs), read)
      } catch (error) {
        deadline.clear()
        signal?.throwIfAborted()
        if (!(error instanceof CallError) || !mayRetry(error.failure, operation.id, guarded)) throw error
        const delayMs = retryDelayMs(attempt, error, retry)
        // A timer may fire a little early.
        const isTimeUp = (deadline.isExpired && timeoutMs >= leftMs) || performance.now() + delayMs >= endsAt
        if (attempt >= retry.maxAttempts || isTimeUp) throw error
        progress.mayHaveSucceeded = error.mayHaveSucceeded
        callBack('onRetry', this.options.onRetry, { operation: operation.id, attempt, error, delayMs })
        await pause(delayMs, signal)
      }
    }
  }

  /** Rejects with a CallError, or with what `apiKey` or the source of the body throws. */
  async #attempt<Result>(
    { url, method, headers: given, source }: HttpRequest,
    progress: CallProgress,
    deadline: Deadline,
    timeoutMs: number,
    read: (open: OpenResponse) => Promise<Result>,
  ): Promise<Result> {
    deadline.start(timeoutMs)
    const { apiKey, fetch, onRequest, onResponse } = this.options
    let isSent = false
    try {
      const authorization = `Bearer ${await deadline.race(apiKey())}`
      const headers = { ...Object.fromEntries(given), authorization }
      const call = { operation: progress.operation.id, attempt: progress.attempts }
      callBack('onRequest', onRequest, { ...call, requestId: progress.requestId, method, url, headers })
      const init = {
        method,
        // An invalid header of a hook is a TypeError here; from fetch it would look like a broken connection.
        headers: Object.fromEntries(new Headers(headers)),
        body: await deadline.race(source.open()),
        // For streams.
        duplex: 'half',
        // The service never redirects, and following a redirect could turn a POST into a GET.
        redirect: 'manual' as const,
        signal: deadline.signal,
      }
      isSent = true
      const sentAt = performance.now()
      const response = await deadline.race(fetch(url, init, timeoutMs))
      const requestId = response.headers.get('x-request-id') ?? progress.requestId
      progress.response = { status: response.status, requestId, headers: response.headers }
      callBack('onResponse', onResponse, { ...call, ...progress.response, durationMs: performance.now() - sentAt })
      this.#warn(call.operation, response.headers)
      const isUnchanged = response.status === 304 && given.has('if-none-match')
      if (response.ok || isUnchanged) return await read({ response, deadline, progress })
      // The status alone decides, even if the body does not arrive.
      throw errorOf(await deadline.race(response.text()).catch(() => ''), progress)
    } catch (error) {
      if (error instanceof CallError || !(isSent || deadline.isExpired)) throw error
      if (deadline.isExpired) throw timedOut(progress, timeoutMs, isSent ? 'lost' : 'unreached')
      if (source.failure) throw source.failure.error
      const message = `No response: ${describeFetchError(error)}`
      throw new ConnectionError(message, detailsOf(progress, failureOfFetch(error)), error)
    }
  }

  #warn(operation: string, headers: ResponseHeaders): void {
    if (this.#warned.has(operation)) return
    const warning = readDeprecation(operation, headers)
    if (!warning) return
    this.#warned.add(operation)
    callBack('onWarning', this.options.onWarning, warning)
  }
}
