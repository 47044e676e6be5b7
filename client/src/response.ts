import { readRetryAfter } from './backoff.ts'
import type { ErrorBody, Operation } from './contract.ts'
import {
  type CallDetails,
  type CallError,
  ConnectionError,
  PetStoreError,
  type ResponseDetails,
  TimeoutError,
  UnexpectedResponseError,
} from './errors.ts'
import type { Deadline } from './deadline.ts'
import { addEtag, type WithEtag } from './etag.ts'
import { parseJson, parseJsonOrUndefined } from './json.ts'
import { rememberResponse } from './response-details.ts'
import { type Failure, failureOf, mayHaveSucceeded } from './retry-rules.ts'
import type { FetchedResponse } from './runtime-types.ts'

/** The progress of a call. */
export interface CallProgress {
  operation: Operation
  /** As the client has chosen it. */
  requestId: string
  attempts: number
  /** Whether an earlier attempt may have succeeded. */
  mayHaveSucceeded: boolean
  idempotencyKey: string | undefined
  /** Once the response of the current attempt has begun. */
  response?: ResponseDetails | undefined
}

/** A successful response with its body. */
export interface ApiResponse {
  response: ResponseDetails
  /** Undefined if the operation has no body, and for 304. */
  body: unknown
  /** The body before it was parsed. */
  text: string
  progress: CallProgress
}

/**
 * The details of an error, for a call whose current attempt failed. By default the status says what the failure means.
 * `text` is what is known of the body.
 */
export function detailsOf(progress: CallProgress, failure?: Failure, text?: string): CallDetails {
  const { operation, response } = progress
  const retryAfterSeconds = readRetryAfter(response?.headers)
  const meaning = failure ?? failureOf(response?.status ?? 0, retryAfterSeconds !== undefined)
  return {
    ...progress,
    operation: operation.id,
    requestId: response?.requestId ?? progress.requestId,
    mayHaveSucceeded: progress.mayHaveSucceeded || (operation.method !== 'GET' && mayHaveSucceeded(meaning)),
    failure: meaning,
    retryAfterSeconds,
    response: response && text !== undefined ? { ...response, excerpt: text.slice(0, 1024) } : response,
  }
}

/** A successful response whose body is unread. The caller must clear the deadline. */
export interface OpenResponse {
  response: FetchedResponse
  deadline: Deadline
  progress: CallProgress
}

/** Reads the body of a successful response. */
export async function readResponse({ response: fetched, deadline, progress }: OpenResponse): Promise<ApiResponse> {
  const response = progress.response as ResponseDetails
  const text = await deadline.race(fetched.text())
  deadline.clear()
  const { result } = progress.operation
  const read: ApiResponse = { response, body: undefined, progress, text }
  if (response.status === 304 || (!result && response.status === 204)) return read
  if (!result || !hasType(response, 'application/json')) throw foreignResponse(progress, text)
  try {
    read.body = parseJson(text)
    return read
  } catch (error) {
    // Not every runtime detects a truncated body.
    throw isCut(text, response) ? endedEarly(progress, error, text) : malformed(read, 'is not JSON')
  }
}

/** Whether a part of a body is missing: by its length, or else by a bracket that is open. */
function isCut(text: string, { headers }: ResponseDetails): boolean {
  const length = headers.get('content-encoding') ? null : headers.get('content-length')
  if (length) return new TextEncoder().encode(text).length < Number(length)
  const structure = text.replace(/"(?:[^"\\]|\\.)*("|\\?$)/gs, '')
  return !text || structure.split(/[[{]/).length > structure.split(/[\]}]/).length
}

/** The body as one resource. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- The operation's table checks the form.
export function resourceOf<Resource extends object>(response: ApiResponse): Resource {
  const { body, progress } = response
  if (!isResult(body, progress.operation)) throw malformed(response)
  return rememberResponse(body as Resource, response.response)
}

/** The body as one resource that `ifMatch` takes. */
export function taggedResourceOf<Resource extends object>(response: ApiResponse): WithEtag<Resource> {
  return addEtag(resourceOf<Resource>(response), response.response.headers)
}

/** The body as an array of resources. */
export function itemsOf<Item extends object>(response: ApiResponse): Item[] {
  const { body, progress } = response
  const isPage = Array.isArray(body) && body.every((item) => isResult(item, progress.operation))
  if (!isPage) throw malformed(response)
  return rememberResponse(body as Item[], response.response)
}

/** The number of items on all pages; undefined if the service did not count. */
export function totalOf({ response }: ApiResponse): number | undefined {
  const total = response.headers.get('x-total-count') ?? ''
  return /^[0-9]{1,15}$/.test(total) ? Number(total) : undefined
}

/** Whether a value is an object with all members that the operation promises. */
export function isResult(value: unknown, { id, result = [] }: Operation): boolean {
  if (!hasMembers(value, result)) return false
  // What an event is about is an animal or an order.
  return id !== 'listEvents' || hasMembers((value as { data: unknown }).data, ['id#'])
}

function hasMembers(value: unknown, names: readonly string[]): boolean {
  if (typeof value !== 'object' || value === null) return false
  return names.every((marked) => {
    const name = marked.replace('#', '')
    if (!Object.hasOwn(value, name)) return false
    const member = (value as Record<string, unknown>)[name]
    return name === marked || typeof member === 'bigint' || Number.isSafeInteger(member)
  })
}

/** The error for a response, or its next part, that does not arrive in time. */
export function timedOut(progress: CallProgress, timeoutMs: number, failure: Failure = 'lost'): CallError {
  return new TimeoutError(`No response within ${Math.round(timeoutMs)} ms.`, detailsOf(progress, failure))
}

/** The error for a successful response that is not whole. */
export function endedEarly(progress: CallProgress, cause?: unknown, text?: string): CallError {
  return new ConnectionError('The response ended too early.', detailsOf(progress, 'lost', text), cause)
}

/** The error for a successful response with unexpected content. */
export function malformed(
  { progress, text }: { progress: CallProgress; text?: string },
  what = 'is not of the promised form',
): CallError {
  const message = `The response to ${progress.operation.id} ${what}.`
  return new UnexpectedResponseError(message, progress.response?.status ?? 0, detailsOf(progress, 'broken', text))
}

/** The error for a response that is not a success. `text` is its body, empty if it could not be read. */
export function errorOf(text: string, progress: CallProgress): CallError {
  const { headers, status } = progress.response as ResponseDetails
  const body = hasType({ headers }, 'application/json') ? parseJsonOrUndefined(text) : undefined
  if (!isErrorBody(body)) return foreignResponse(progress, text)
  const fields = headers.get('invalid-fields')?.split(/\s*,\s*/)
  return new PetStoreError({ ...body, status }, detailsOf(progress, undefined, text), fields)
}

/** The error for a response that is not from this service. */
export function foreignResponse(progress: CallProgress, text?: string): CallError {
  const { headers, status } = progress.response as ResponseDetails
  const location = headers.get('location')
  const message =
    `Not a response of the service: status ${status}, ${headers.get('content-type') ?? 'no content type'}` +
    (location ? `, to ${location}` : '') +
    (status < 500 ? '. Is baseUrl right?' : '.')
  return new UnexpectedResponseError(message, status, detailsOf(progress, undefined, text))
}

/** Whether the response has this media type, with any parameters. */
export function hasType({ headers }: Pick<ResponseDetails, 'headers'>, type: string): boolean {
  return headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() === type
}

function isErrorBody(body: unknown): body is ErrorBody {
  const { code, message, status } = (body ?? {}) as Partial<ErrorBody>
  return typeof code === 'string' && typeof message === 'string' && typeof status === 'number'
}
