import { linkTo } from './link.ts'

/** An operation that was called will go. */
export interface Warning {
  /** The `operationId` of the OpenAPI document. */
  operation: string
  /** All of the below in a sentence. */
  message: string
  deprecatedSince: Date | undefined
  removedOn: Date | undefined
  /** Where to read about it. */
  documentation: string | undefined
}

/** What the headers of an answer say about the end of its operation (RFC 9745 and RFC 8594); undefined when nothing. */
export function readDeprecation(operation: string, headers: Headers): Warning | undefined {
  const deprecation = headers.get('deprecation')
  if (deprecation === null) return undefined
  const deprecatedSince = dateOrNothing(Number(/^@(-?[0-9]+)$/.exec(deprecation)?.[1]) * 1000)
  const removedOn = dateOrNothing(Date.parse(headers.get('sunset') ?? ''))
  const documentation = linkTo('deprecation', headers)
  const message =
    `Pet Store: ${operation} is deprecated` +
    (deprecatedSince === undefined ? '' : ` since ${day(deprecatedSince)}`) +
    (removedOn === undefined ? '' : ` and is removed on ${day(removedOn)}`) +
    (documentation === undefined ? '.' : `; see ${documentation}`)
  return { operation, message, deprecatedSince, removedOn, documentation }
}

function dateOrNothing(milliseconds: number): Date | undefined {
  return Number.isNaN(milliseconds) ? undefined : new Date(milliseconds)
}

function day(date: Date): string {
  return date.toISOString().slice(0, 10)
}
