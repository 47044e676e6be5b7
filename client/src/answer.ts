import type { ErrorBody } from './contract.ts'
import { type CallError, type Circumstances, PetStoreError, UnexpectedAnswerError } from './errors.ts'
import { parseJson } from './json.ts'
import { readRetryAfter } from './retry.ts'

export interface Answer {
  headers: Headers
  /** Undefined where there is none. */
  body: unknown
  circumstances: Circumstances
}

/** Reads an answer that is no refusal. */
export async function readAnswer(response: Response, circumstances: Circumstances): Promise<Answer> {
  const { headers, status } = response
  if (status === 204) return { headers, body: undefined, circumstances }
  const body = await readJson(response)
  if (body === undefined) throw unexpected(response, circumstances)
  return { headers, body, circumstances }
}

/** What a refusal is to be thrown as. */
export async function refusalOf(response: Response, circumstances: Circumstances): Promise<CallError> {
  const body = await readJson(response)
  return isErrorBody(body)
    ? new PetStoreError(body, circumstances, readRetryAfter(response.headers.get('retry-after')))
    : unexpected(response, circumstances)
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

function unexpected(response: Response, circumstances: Circumstances): UnexpectedAnswerError {
  const type = response.headers.get('content-type') ?? 'no content type'
  return new UnexpectedAnswerError(
    `Not an answer of the service: status ${response.status}, ${type}. Is baseUrl right?`,
    response.status,
    circumstances,
    readRetryAfter(response.headers.get('retry-after')),
  )
}
