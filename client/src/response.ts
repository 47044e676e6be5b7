import type { ErrorBody } from './contract.ts'
import { type CallError, type CallDetails, PetStoreError, UnexpectedResponseError } from './errors.ts'
import { parseJson } from './json.ts'
import { readRetryAfter } from './retry.ts'

export interface ApiResponse {
  headers: Headers
  /** Undefined where there is none. */
  body: unknown
  details: CallDetails
}

/** Reads an answer that is no refusal. */
export async function readResponse(response: Response, details: CallDetails): Promise<ApiResponse> {
  const { headers, status } = response
  if (status === 204) return { headers, body: undefined, details }
  const body = await readJson(response)
  if (body === undefined) throw unexpected(response, details)
  return { headers, body, details }
}

/** What a refusal is to be thrown as. */
export async function readError(response: Response, details: CallDetails): Promise<CallError> {
  const body = await readJson(response)
  return isErrorBody(body)
    ? new PetStoreError(body, details, readRetryAfter(response.headers.get('retry-after')))
    : unexpected(response, details)
}

/**
 * Undefined when the answer does not claim to be JSON. What claims to be and is not has broken off (not every runtime
 * notices that a body ended too early), and is to be taken for a broken connection.
 */
async function readJson(response: Response): Promise<unknown> {
  const text = await response.text()
  if (!isJson(response.headers)) return undefined
  return parseJson(text)
}

function isJson(headers: Headers): boolean {
  return /^application\/json\s*(;|$)/i.test(headers.get('content-type') ?? '')
}

function isErrorBody(body: unknown): body is ErrorBody {
  const { code, message, status } = (body ?? {}) as Partial<ErrorBody>
  return typeof code === 'string' && typeof message === 'string' && typeof status === 'number'
}

function unexpected(response: Response, details: CallDetails): UnexpectedResponseError {
  const type = response.headers.get('content-type') ?? 'no content type'
  return new UnexpectedResponseError(
    `Not an answer of the service: status ${response.status}, ${type}. Is baseUrl right?`,
    response.status,
    details,
    readRetryAfter(response.headers.get('retry-after')),
  )
}
