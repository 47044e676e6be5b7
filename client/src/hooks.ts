import type { CallError } from './errors.ts'
import type { ResponseHeaders } from './runtime-types.ts'

interface Attempt {
  /** The `operationId` of the OpenAPI document. */
  operation: string
  /** 1 for the first. */
  attempt: number
}

/** An attempt that is about to be sent. */
export interface RequestInfo extends Attempt {
  requestId: string
  method: string
  url: string
  /** Names are in lower case. A hook may change them. */
  headers: Record<string, string>
}

/** A response that begins. */
export interface ResponseInfo extends Attempt {
  requestId: string
  status: number
  headers: ResponseHeaders
  /** Since the request was sent. */
  durationMs: number
}

/** An attempt that failed and is followed by another one. */
export interface RetryInfo extends Attempt {
  error: CallError
  /** Before the next attempt. */
  delayMs: number
}

/** Functions that the library calls. What they throw is logged and has no other effect. */
export interface Hooks {
  onRequest?: ((request: RequestInfo) => void) | undefined
  onResponse?: ((response: ResponseInfo) => void) | undefined
  onRetry?: ((retry: RetryInfo) => void) | undefined
}

/** Calls such a function. */
export function callBack<Args extends unknown[]>(
  name: string,
  callback: ((...args: Args) => unknown) | undefined,
  ...args: Args
): void {
  const call = async () => callback?.(...args)
  call().catch((error: unknown) => console.error(`Pet Store: ${name} failed:`, error))
}
