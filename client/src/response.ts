import { readRetryAfter } from './backoff.ts'
import type { ErrorBody, Operation } from './contract.ts'
import {
  type CallDetails,
  type CallError,
  ConnectionError,
  PetStoreError,
  type ResponseDetails,
  UnexpectedResponseError,
} from './errors.ts'
import { addEtag, type WithEtag } from './etag.ts'
import { parseJson, parseJsonOrUndefined } from './json.ts'
import { rememberResponse } from './response-details.ts'
import { type Failure, failureOf, mayHaveSucceeded } from './retry-rules.ts'
import type { FetchedResponse } from './runtime-types.ts'

const excerptLength = 1024

/** The progress of a call. */
export interface CallProgress {
  operation: Operation
  requestId: string
  attempts: number
  /** Whether an earlier attempt may have succeeded. */
  mayHaveSucceeded: boolean
  idempotencyKey: string | undefined
  /** Once the response of the current attempt has begun. */
  response?: ResponseDetails
}

/** A successful response with its body. */
export interface ApiResponse {
  response: ResponseDetails
  /** Undefined if the operation has no body, and for 304. */
  body: unknown
  progress: CallProgress
}

/** The details of an error, for a call whose current attempt failed. */
export function detailsOf(progress: CallProgress, failure: Failure): CallDetails {
  const { operation } = progress
  const isWrite = operation.method !== 'GET'
  return {
    ...progress,
    operation: operation.id,
    mayHaveSucceeded: progress.mayHaveSucceeded || (isWrite && mayHaveSucceeded(failure)),
    failure,
  }
}

/** Reads the body of a successful response. */
export async function readResponse(fetched: FetchedResponse, progress: CallProgress): Promise<ApiResponse> {
  const response = progress.response as ResponseDetails
  const text = await fetched.text()
  const hasBody = progress.operation.result !== undefined
  if (response.status === 304 || (!hasBody && response.status === 204)) return { response, body: undefined, progress }
  response.excerpt = text.slice(0, excerptLength)
  if (!hasBody || !hasType(response, 'application/json')) throw foreignResponse(progress)
  try {
    return { response, body: parseJson(text), progress }
  } catch (error) {
    // Not every runtime detects a truncated body.
    throw new ConnectionError('The response ended too early.', detailsOf(progress, 'lost'), error)
  }
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
export function isResult(value: unknown, { result = [] }: Operation): boolean {
  return typeof value === 'object' && value !== null && result.every((member) => Object.hasOwn(value, member))
}

/** The error for a successful response with unexpected content. */
export function malformed({ progress }: { progress: CallProgress }, what = 'is not of the promised form'): CallError {
  const message = `The response to ${progress.operation.id} ${what}.`
  return new UnexpectedResponseError(message, progress.response?.status ?? 0, detailsOf(progress, 'broken'))
}

/** The error for a response that is not a success. `text` is its body, empty if it could not be read. */
export function errorOf(text: string, progress: CallProgress): CallError {
  const response = progress.response as ResponseDetails
  response.excerpt = text.slice(0, excerptLength)
  const body = hasType(response, 'application/json') ? parseJsonOrUndefined(text) : undefined
  if (!isErrorBody(body)) return foreignResponse(progress)
  const { headers, status } = response
  const retryAfterSeconds = readRetryAfter(headers.get('retry-after'))
  const details = detailsOf(progress, failureOf(status, retryAfterSeconds !== undefined))
  const fields = headers.get('invalid-fields')?.split(/\s*,\s*/)
  return new PetStoreError({ ...body, status }, details, retryAfterSeconds, fields)
}

/** The error for a response that is not from this service. */
export function foreignResponse(progress: CallProgress): CallError {
  const { headers, status } = progress.response as ResponseDetails
  const type = headers.get('content-type') ?? 'no content type'
  const location = headers.get('location')
  const retryAfterSeconds = readRetryAfter(headers.get('retry-after'))
  const failure = status < 300 && status > 0 ? 'broken' : failureOf(status, retryAfterSeconds !== undefined)
  const message =
    `Not a response of the service: status ${status}, ${type}` +
    (location === null ? '' : `, to ${location}`) +
    (status < 500 ? '. Is baseUrl right?' : '.')
  return new UnexpectedResponseError(message, status, detailsOf(progress, failure), retryAfterSeconds)
}

/** Whether the response has this media type, with any parameters. */
export function hasType({ headers }: Pick<ResponseDetails, 'headers'>, type: string): boolean {
  return headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() === type
}

function isErrorBody(body: unknown): body is ErrorBody {
  const { code, message, status } = (body ?? {}) as Partial<ErrorBody>
  return typeof code === 'string' && typeof message === 'string' && typeof status === 'number'
}
