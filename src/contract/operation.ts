import type { TObject, TSchema } from 'typebox'
import type { ErrorCode } from './error.ts'

/** What a key may do, from least to most. Each permission includes those before it. */
export const permissions = ['read', 'write', 'admin'] as const
export type Permission = (typeof permissions)[number]

export function includesPermission(held: Permission, needed: Permission): boolean {
  return permissions.indexOf(held) >= permissions.indexOf(needed)
}

/** The stability of an operation beyond the original contract: beta promises little, experimental nothing. */
export type Stability = 'beta' | 'experimental'

/** Everything that a client can see of one operation. Routes, checks and the document are made from it. */
export interface Operation {
  readonly id: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Relative to the base address, with parameters in braces. Its first segment is its group in the document. */
  readonly path: string
  readonly summary: string
  readonly description: string
  readonly permission: Permission
  /** The bearer token is not a key but that of an invitation. */
  readonly credential?: 'invitation'
  readonly stability?: Stability
  /** The contract names the operation and leaves its details open, so every deployment serves it. */
  readonly isNamedInContract?: true
  readonly deprecation?: Deprecation
  readonly parameters?: { readonly path?: TObject; readonly query?: TObject; readonly header?: TObject }
  readonly body?: TSchema
  /** Bodies of different kinds, by name, if one example cannot show them: members that exclude each other. */
  readonly bodyExamples?: Readonly<Record<string, unknown>>
  /** The body is a file, by media type. */
  readonly files?: Files
  /** The body is a JSON merge patch (RFC 7396); its content type may say so. */
  readonly isMergePatch?: true
  readonly success: Success
  /** Another successful response. */
  readonly otherSuccess?: Success
  /** In addition to `sharedErrors`. */
  readonly errors: readonly ErrorCode[]
  /** The meaning of an error for this operation, if it differs from the usual one. */
  readonly errorMeanings?: Partial<Record<ErrorCode, string>>
}

/** Files of a request or a response, by media type. */
export type Files = Readonly<Record<string, DescribedFile>>

export interface DescribedFile {
  readonly description: string
  /** Of a file that is not a text. */
  readonly schema?: TSchema
  readonly example: unknown
}

export interface Success {
  readonly status: 200 | 201 | 204
  readonly description: string
  readonly body?: TSchema
  /** Bodies of different kinds, by name, if one example cannot show them: members that exclude each other. */
  readonly bodyExamples?: Readonly<Record<string, unknown>>
  /** The response is a file. */
  readonly files?: Files
  /** The response may also be a stream of server-sent events. */
  readonly isStreamed?: true
  readonly headers: readonly ResponseHeader[]
  /** Operations that use a value of this response; links in the document. */
  readonly links?: Readonly<
    Record<string, { operationId: string; description: string; parameters: Record<string, string> }>
  >
}

export interface Deprecation {
  readonly since: Date
  /** The operation is removed at this instant. */
  readonly sunset: Date
}

export type ResponseHeader =
  | 'Content-Disposition'
  | 'ETag'
  | 'Event-Position'
  | 'Link'
  | 'Location'
  | 'Next-Cursor'
  | 'X-Total-Count'
  | 'Idempotent-Replayed'
  | 'Deprecation'
  | 'Sunset'

/** The errors of every operation. */
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

/** The methods whose body is read, also if an operation has none; other bodies have no meaning. */
export const methodsWithBody: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH'])

/** Further errors of operations with a body. */
export const bodyErrors: readonly ErrorCode[] = ['invalid_body', 'payload_too_large', 'unsupported_media_type']
