// A file of its own: the public declarations must not load those of response.ts, which are internal.
import type { ResponseDetails } from './errors.ts'

const responses = new WeakMap<object, ResponseDetails>()

/** @internal */
export function rememberResponse<Result extends object>(result: Result, response: ResponseDetails): Result {
  responses.set(result, response)
  return result
}

/** The response that a result of a method, or a page of a list, is from. Undefined for a copy and for items of a list. */
export function responseOf(result: object): ResponseDetails | undefined {
  return responses.get(result)
}
