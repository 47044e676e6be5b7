import { CallError, type ErrorCode, PetStoreError, UnexpectedResponseError } from '../../client/src/index.ts'

/** The reason of a failure, from any source. */
export interface Failure {
  /** `unreachable`: no response. `foreign`: a response of a gateway. */
  code: ErrorCode | 'unreachable' | 'foreign' | 'fault'
  message: string
  retryAfterSeconds?: number | undefined
  requestId?: string | undefined
  /** The members or parameters that the service refused. */
  fields?: readonly string[]
}

/** The error of requests outside the API. */
export class PageRequestError extends Error implements Failure {
  readonly code: Failure['code']

  constructor(code: Failure['code'], message: string) {
    super(message)
    this.code = code
  }
}

export function failureOf(error: unknown): Failure {
  if (error instanceof PetStoreError || error instanceof PageRequestError) return error
  if (error instanceof UnexpectedResponseError) {
    const { message, requestId, retryAfterSeconds } = error
    return { code: error.status >= 500 ? 'unavailable' : 'foreign', message, requestId, retryAfterSeconds }
  }
  if (error instanceof CallError) return { code: 'unreachable', message: error.message, requestId: error.requestId }
  return { code: 'fault', message: error instanceof Error ? error.message : String(error) }
}

const transientCodes = new Set<Failure['code']>(['unreachable', 'foreign', 'unavailable', 'rate_limited', 'internal'])

/** Whether a retry may succeed by itself. */
export function isTransient(error: unknown): boolean {
  return transientCodes.has(failureOf(error).code)
}
