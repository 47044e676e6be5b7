import { readRetryAfter } from './backoff.ts'
import type { ErrorBody, Operation } from './contract.ts'
import { type CallDetails, type CallError, ConnectionError, PetStoreError, UnexpectedResponseError } from './errors.ts'
import { rememberEtag, type WithEtag } from './etag.ts'
import { parseJson, parseJsonOrUndefined } from './json.ts'
import { type Failure, failureOf, mayHaveSucceeded } from './retry-rules.ts'

/** The progress of a call. */
export interface CallProgress {
  operation: Operation
  requestId: string
  attempts: number
  /** Whether an earlier attempt may have succeeded. */
  mayHaveSucceeded: boolean
}

/** A successful response with its body. */
export interface ApiResponse {
  status: number
  headers: Headers
  /** Undefined if the operation has no body. */
  body: unknown
  progress: CallProgress
}

/** The details of an error, for a call whose current attempt failed. */
export function detailsOf(progress: CallProgress, failure: Failure): CallDetails {
  const { operation, requestId, attempts } = progress
  const isWrite = operation.method !== 'GET'
  return {
    requestId,
    attempts,
    mayHaveSucceeded: progress.mayHaveSucceeded || (isWrite && mayHaveSucceeded(failure)),
    failure,
  }
}

/** Reads the body of a successful response. */
export async function readResponse(response: Response, progress: CallProgress): Promise<ApiResponse> {
  const { headers, status } = response
  const text = await response.text()
  const hasBody = progress.operation.result !== undefined
  if (!hasBody && status === 204) return { status, headers, body: undefined, progress }
  if (!hasBody || !isJson(headers)) throw foreignResponse(response, progress)
  try {
    return { status, headers, body: parseJson(text), progress }
  } catch (error) {
    // Not every runtime detects a truncated body.
    throw new ConnectionError('The response ended too early.', detailsOf(progress, 'lost'), error)
  }
}

/** The body as one resource. */
export function resourceOf<Resource extends object>(response: ApiResponse): WithEtag<Resource> {
  const { body, headers, progress } = response
  if (!isResult(body, progress.operation)) throw malformed(response)
  return rememberEtag(body as Resource, headers)
}

/** The body as an array of resources. */
export function itemsOf<Item extends object>(response: ApiResponse): Item[] {
  const { body, progress } = response
  const isPage = Array.isArray(body) && body.every((item) => isResult(item, progress.operation))
  if (!isPage) throw malformed(response)
  return body as Item[]
}

/** The number of items on all pages; undefined if the service did not count. */
export function totalOf({ headers }: ApiResponse): number | undefined {
  const total = headers.get('x-total-count') ?? ''
  return /^[0-9]{1,15}$/.test(total) ? Number(total) : undefined
}

/** Whether a value is an object with all members that the operation promises. */
export function isResult(value: unknown, { result = [] }: Operation): boolean {
  return typeof value === 'object' && value !== null && result.every((member) => Object.hasOwn(value, member))
}

/** The error for a successful response with unexpected content. */
export function malformed({ status, progress }: ApiResponse, what = 'is not of the promised form'): CallError {
  const message = `The response to ${progress.operation.id} ${what}.`
  return new UnexpectedResponseError(message, status, detailsOf(progress, 'broken'))
}

/** The error for a response that is not a success. `text` is its body, empty if it could not be read. */
export function errorOf(response: Response, text: string, progress: CallProgress): CallError {
  const body = isJson(response.headers) ? parseJsonOrUndefined(text) : undefined
  if (!isErrorBody(body)) return foreignResponse(response, progress)
  const retryAfterSeconds = readRetryAfter(response.headers.get('retry-after'))
  const failure = failureOf(response.status, retryAfterSeconds !== undefined)
  return new PetStoreError(body, detailsOf(progress, failure), retryAfterSeconds)
}

/** The error for a response that is not from this service. */
export function foreignResponse({ headers, ok, status }: Response, progress: CallProgress): CallError {
  const type = headers.get('content-type') ?? 'no content type'
  const retryAfterSeconds = readRetryAfter(headers.get('retry-after'))
  const failure = ok ? 'broken' : failureOf(status, retryAfterSeconds !== undefined)
  const message = `Not a response of the service: status ${status}, ${type}. Is baseUrl right?`
  return new UnexpectedResponseError(message, status, detailsOf(progress, failure), retryAfterSeconds)
}

function isJson(headers: Headers): boolean {
  return /^application\/json\s*(;|$)/i.test(headers.get('content-type') ?? '')
}

function isErrorBody(body: unknown): body is ErrorBody {
  const { code, message, status } = (body ?? {}) as Partial<ErrorBody>
  return typeof code === 'string' && typeof message === 'string' && typeof status === 'number'
}
