import { findLink } from './link.ts'
import type { ResponseHeaders } from './runtime-types.ts'

/** An operation that was called will be removed. */
export interface Warning {
  /** The `operationId` of the OpenAPI document. */
  operation: string
  /** The details below in one sentence. */
  message: string
  deprecatedSince: Date | undefined
  removedOn: Date | undefined
  /** The URL of the documentation. */
  documentation: string | undefined
}

/** @internal Reads the deprecation headers of a response (RFC 9745, RFC 8594). Undefined if there are none. */
export function readDeprecation(operation: string, headers: ResponseHeaders): Warning | undefined {
  const deprecation = headers.get('deprecation')
  if (deprecation === null) return undefined
  const deprecatedSince = validDate(Number(/^@(-?[0-9]+)$/.exec(deprecation)?.[1]) * 1000)
  const removedOn = validDate(Date.parse(headers.get('sunset') ?? ''))
  const documentation = findLink('deprecation', headers) ?? undefined
  const message =
    `Pet Store: ${operation} is deprecated` +
    (deprecatedSince ? ` since ${day(deprecatedSince)}` : '') +
    (removedOn ? ` and is removed on ${day(removedOn)}` : '') +
    (documentation ? `; see ${documentation}` : '.')
  return { operation, message, deprecatedSince, removedOn, documentation }
}

function validDate(milliseconds: number): Date | undefined {
  const date = new Date(milliseconds)
  return Number.isNaN(Number(date)) ? undefined : date
}

function day(date: Date): string | undefined {
  return date.toISOString().split('T')[0]
}
