import type { Int64, operations } from './contract.ts'
import { readDeprecation, type Warning } from './deprecation.ts'
import { type CallDetails, CallError, ConnectionError, TimeoutError } from './errors.ts'
import { encodeJson, exactDigits } from './json.ts'
import { type Deadline, deadline } from './deadline.ts'
import { randomId } from './random-id.ts'
import { type ApiResponse, readResponse, readError } from './response.ts'
import { mayTryAgain, pause, pauseBefore, type Repetition, type RetryPolicy } from './retry.ts'

export type Operation = (typeof operations)[keyof typeof operations]

/** What every method takes as its last argument. */
export interface CallOptions {
  /** Ends the call, which then rejects with the reason of the signal. What was sent may be carried out nevertheless. */
  signal?: AbortSignal | undefined
  /** Milliseconds that one try may take. */
  timeoutMs?: number | undefined
}

export interface ApiRequest {
  operation: Operation
  /** Fills the braces in the path of the operation. */
  id?: Int64
  query?: object | URLSearchParams | undefined
  headers?: Record<string, string | undefined>
  body?: object
  repetition: Repetition
}

export interface TransportOptions {
  /** Without a slash at its end. */
  baseUrl: string
  apiKey: string
  timeoutMs: number
  retry: RetryPolicy
  fetch: typeof globalThis.fetch
  onWarning: (warning: Warning) => void
}

/** An answer whose body is still to be read, and what holds it. Whoever gets it has to release the deadline. */
export interface OpenResponse {
  response: Response
  deadline: Deadline
  details: CallDetails
}

interface PreparedRequest {
  operation: Operation
  url: string
  init: RequestInit
}

/** Carries questions to the service: one call, as many tries as it takes and as the policy allows. */
export class Transport {
  readonly retry: RetryPolicy
  readonly #options: TransportOptions
  readonly #warned = new Set<string>()

  constructor(options: TransportOptions) {
    this.retry = options.retry
    this.#options = options
  }

  /** Resolves to the whole answer. */
  async ask(request: ApiRequest, options: CallOptions = {}): Promise<ApiResponse> {
    return this.#call(request, options, this.retry, async ({ response, deadline, details }) => {
      try {
        return await readResponse(response, details)
      } finally {
        deadline.clear()
      }
    })
  }

  /** Resolves once the answer begins. `retry` in the place of the client's own policy. */
  async open(request: ApiRequest, options: CallOptions, retry: RetryPolicy = this.retry): Promise<OpenResponse> {
    return this.#call(request, options, retry, async (open) => {
      open.deadline.pause()
      return open
    })
  }

  async #call<Result>(
    request: ApiRequest,
    { signal, timeoutMs = this.#options.timeoutMs }: CallOptions,
    retry: RetryPolicy,
    read: (answer: OpenResponse) => Promise<Result>,
  ): Promise<Result> {
    const requestId = randomId()
    const prepared = this.#requestOf(request, requestId)
    const deadline = performance.now() + retry.totalTimeoutMs
    let mayHaveSucceeded = false
    for (let attempts = 1; ; attempts++) {
      const details = { requestId, attempts, mayHaveSucceeded }
      const allowed = Math.min(timeoutMs, deadline - performance.now())
      try {
        return await this.#try({ ...prepared, signal, allowed }, details, read)
      } catch (error) {
        if (!(error instanceof CallError) || !mayTryAgain(error, request.repetition)) throw error
        const wait = pauseBefore(attempts, error, retry)
        if (attempts >= retry.maxAttempts || performance.now() + wait >= deadline) throw error
        mayHaveSucceeded = error.mayHaveSucceeded
        await pause(wait, signal)
      }
    }
  }

  async #try<Result>(
    { operation, url, init, signal, allowed }: PreparedRequest & { signal: AbortSignal | undefined; allowed: number },
    earlier: CallDetails,
    read: (answer: OpenResponse) => Promise<Result>,
  ): Promise<Result> {
    signal?.throwIfAborted()
    const held = deadline(signal)
    held.start(allowed)
    const isWrite = operation.method !== 'GET'
    let details = earlier
    try {
      const { fetch } = this.#options
      const response = await fetch(url, { ...init, signal: held.signal })
      const { headers, status } = response
      details = {
        ...earlier,
        requestId: headers.get('x-request-id') ?? earlier.requestId,
        // Only a proper refusal says that nothing was done; a fault on the way leaves it open how far the request got.
        mayHaveSucceeded: earlier.mayHaveSucceeded || (isWrite && !(status >= 400 && status < 500)),
      }
      this.#warn(operation, headers)
      if (!response.ok) throw await readError(response, details)
      return await read({ response, deadline: held, details })
    } catch (error) {
      held.clear()
      if (error instanceof CallError) throw error
      signal?.throwIfAborted()
      const sent = { ...details, mayHaveSucceeded: details.mayHaveSucceeded || (isWrite && !wasNeverSent(error)) }
      if (held.isTimeUp) throw new TimeoutError(`No answer within ${Math.round(allowed)} ms.`, sent)
      throw new ConnectionError(`The service was not reached, or the connection broke: ${textOf(error)}`, sent, error)
    }
  }

  #requestOf({ operation, id, query, headers, body }: ApiRequest, requestId: string): PreparedRequest {
    const path = operation.path.replace(/\{(\w+)\}/, (_braces, name: string) => exactDigits(name, id ?? Number.NaN))
    const search = String(query instanceof URLSearchParams ? query : searchOf(query))
    const all = {
      accept: 'application/json',
      authorization: `Bearer ${this.#options.apiKey}`,
      'content-type': body === undefined ? undefined : 'application/json',
      'x-request-id': requestId,
      ...headers,
    }
    const given = Object.entries(all).filter((header): header is [string, string] => header[1] !== undefined)
    return {
      operation,
      url: `${this.#options.baseUrl}${path}${search === '' ? '' : `?${search}`}`,
      init: {
        method: operation.method,
        // Made here and not by fetch, where a value that no header can have would look like a broken connection.
        headers: new Headers(given),
        // The service never redirects; followed, a POST could turn into a GET.
        redirect: 'manual',
        ...(body !== undefined && { body: encodeJson(body) }),
      },
    }
  }

  #warn({ id }: Operation, headers: Headers): void {
    if (this.#warned.has(id)) return
    const warning = readDeprecation(id, headers)
    if (warning === undefined) return
    this.#warned.add(id)
    // On its own, so that what it throws is not taken for a fault of the call.
    queueMicrotask(() => this.#options.onWarning(warning))
  }
}

function searchOf(query: object = {}): URLSearchParams {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query) as [string, string | Int64 | undefined][]) {
    if (value !== undefined) search.set(name, typeof value === 'string' ? value : exactDigits(name, value))
  }
  return search
}

const beforeSending = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
  // Bun's.
  'ConnectionRefused',
])

/** Whether no connection came about. Where the runtime does not tell, a request counts as sent. */
function wasNeverSent(error: unknown): boolean {
  const { code, cause } = error as { code?: string; cause?: { code?: string } }
  return beforeSending.has(cause?.code ?? code ?? '')
}

function textOf(error: unknown): string {
  const { message, cause } = error as { message?: string; cause?: { message?: string; code?: string } }
  return [message, cause?.message || cause?.code].filter(Boolean).join(': ')
}
