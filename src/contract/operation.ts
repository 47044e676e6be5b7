import type { TObject, TSchema } from 'typebox'
import type { ErrorCode } from './error.ts'

export type Permission = 'read' | 'write'

/** What an operation that the original contract does not name promises: beta little, experimental nothing. */
export type Stability = 'beta' | 'experimental'

/** One operation of the service: all that a client can see of it. Routes, checks and the document are made from this. */
export interface Operation {
  readonly id: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below the base address, parameters in braces. Its first part is the group that the document puts it in. */
  readonly path: string
  readonly summary: string
  readonly description: string
  readonly permission: Permission
  readonly stability?: Stability
  /** The contract names it as existing and leaves it open: it is offered wherever the contract's own operations are. */
  readonly isNamedInContract?: true
  readonly deprecation?: Deprecation
  readonly parameters?: { readonly path?: TObject; readonly query?: TObject; readonly header?: TObject }
  readonly body?: TSchema
  /** The body is a JSON merge patch (RFC 7396), and may say so. */
  readonly isMergePatch?: true
  readonly success: Success
  /** What else it may answer when all went well. */
  readonly otherSuccess?: Success
  /** Beyond those that every operation shares: see `sharedErrors`. */
  readonly errors: readonly ErrorCode[]
  /** What an error means here, where that is more than it means everywhere. */
  readonly errorMeanings?: Partial<Record<ErrorCode, string>>
}

export interface Success {
  readonly status: 200 | 201 | 204
  readonly description: string
  readonly body?: TSchema
  /** The answer may also be a stream of server-sent events. */
  readonly isStreamed?: true
  readonly headers: readonly AnswerHeader[]
  /** Operations that take something from this answer, as the document links them. */
  readonly links?: Readonly<
    Record<string, { operationId: string; description: string; parameters: Record<string, string> }>
  >
}

export interface Deprecation {
  readonly since: Date
  /** From this instant on the operation is gone. */
  readonly sunset: Date
}

export type AnswerHeader =
  | 'ETag'
  | 'Link'
  | 'Location'
  | 'X-Total-Count'
  | 'Idempotent-Replayed'
  | 'Deprecation'
  | 'Sunset'

/** What any operation may answer, whatever it does. */
export const sharedErrors: readonly ErrorCode[] = [
  'invalid_parameter',
  'invalid_request',
  'unauthorized',
  'request_timeout',
  'uri_too_long',
  'expectation_failed',
  'rate_limited',
  'headers_too_large',
  'internal',
  'unavailable',
]

/** What an operation with a body may answer besides. */
export const bodyErrors: readonly ErrorCode[] = ['invalid_body', 'payload_too_large', 'unsupported_media_type']
