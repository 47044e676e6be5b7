import type { TObject } from 'typebox'
import { maxAddressLength } from '../contract/body-limit.ts'
import type { ErrorBody } from '../contract/error.ts'
import { int64FromJsonNumber } from '../contract/int64.ts'
import type { Operation } from '../contract/operation.ts'
import { parseExactly } from './exact-json.ts'
import { headerArguments, maxResultBytes, resultMembers } from './tool.ts'
import { inWordsOfTools } from './words.ts'

/** A request for an operation. */
export interface OperationRequest {
  method: string
  /** Path and query. */
  url: string
  headers: Readonly<Record<string, string>>
  body?: string
}

export interface OperationResponse {
  status: number
  /** By name in lower case. */
  headers: Readonly<Record<string, string>>
  body: string
}

/** Carries out an operation with the key of the agent. */
export type RunOperation = (request: OperationRequest) => Promise<OperationResponse>

export interface ToolResult {
  content: { type: 'text'; text: string }[]
  structuredContent?: Record<string, unknown>
  isError?: true
}

type Arguments = Readonly<Record<string, unknown>>

export async function callTool(operation: Operation, given: Arguments, run: RunOperation): Promise<ToolResult> {
  const request = requestOf(operation, given)
  if ('code' in request) return failure(request)
  const { status, headers, body } = await run(request)
  if (status >= 400) {
    const error = JSON.parse(body) as ErrorBody
    return failure({ ...error, message: inWordsOfTools(error.message) })
  }
  // Only what a read returns is refused: a change has been made, and its result is one thing.
  if (operation.method === 'GET' && Buffer.byteLength(body) > maxResultBytes) {
    return failure({ code: 'payload_too_large', message: 'The result is too large: ask for fewer.', status: 413 })
  }
  return success(body, headers, given)
}

/** The arguments in their places. Names that the operation does not have are refused by its strict handling. */
function requestOf({ method, path, parameters = {}, body }: Operation, given: Arguments): OperationRequest | ErrorBody {
  const headers: Record<string, string> = { prefer: 'handling=strict' }
  const query: string[] = []
  const members: [string, unknown][] = []
  const inPath = new Map<string, string>()

  for (const [name, value] of Object.entries(given)) {
    const header = headerNames.get(name)
    const isHeader = header !== undefined && has(parameters.header, header)
    const isInPath = has(parameters.path, name)
    if (body !== undefined && !isHeader && !isInPath && !has(parameters.query, name)) {
      members.push([name, value])
      continue
    }
    const text = textOf(value)
    if (text === undefined || text === '') return invalid(name, 'must be a text or a number.')
    if (isInPath) inPath.set(name, encodeURIComponent(text))
    else if (isHeader) headers[header] = text
    else query.push(`${encodeURIComponent(name)}=${encodeURIComponent(text)}`)
  }

  const missing = Object.keys(parameters.path?.properties ?? {}).find((name) => !inPath.has(name))
  if (missing !== undefined) return invalid(missing, 'is missing.')
  if (has(parameters.header, 'Idempotency-Key') && headers['Idempotency-Key'] === undefined) {
    return invalid('idempotencyKey', 'is missing: send a new random text, such as a UUID.')
  }
  const filled = path.replace(/\{(\w+)\}/g, (_braces, name: string) => inPath.get(name) as string)
  const url = `/v1${filled}${query.length > 0 ? `?${query.join('&')}` : ''}`
  // As over HTTP: addresses are logged.
  if (url.length > maxAddressLength) return invalid('', 'is too long.')
  return {
    method,
    url,
    headers,
    ...(body !== undefined && { body: JSON.stringify(Object.fromEntries(members)) }),
  }
}

const headerNames = new Map<string, string>(Object.entries(headerArguments).map(([header, name]) => [name, header]))

function has(schema: TObject | undefined, name: string): boolean {
  return schema !== undefined && Object.hasOwn(schema.properties, name)
}

/**
 * As a parameter: an integer in its usual form, though JSON may write it as 1.0 or 1e3. Undefined for what cannot be
 * one: an object, null, a text that UTF-8 cannot represent.
 */
function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value.isWellFormed() ? value : undefined
  const text = JSON.stringify(value)
  return /^-?\d[\d.eE+-]*$/.test(text) ? String(int64FromJsonNumber(text) ?? text) : undefined
}

function invalid(name: string, fault: string): ErrorBody {
  const shown = /^\w{1,40}$/.test(name) ? name : 'An argument'
  return { code: 'invalid_parameter', message: `${shown} ${fault}`, status: 400 }
}

function success(body: string, headers: OperationResponse['headers'], given: Arguments): ToolResult {
  const structuredContent: Record<string, unknown> = {}
  if (body !== '') structuredContent['data'] = parseExactly(body)
  const isPage = Array.isArray(structuredContent['data']) && given['id'] === undefined
  for (const [name, { header }] of Object.entries(resultMembers)) {
    const value = headers[header.toLowerCase()]
    // The tag of a page is of no use.
    if (value !== undefined && !(isPage && name === 'etag')) structuredContent[name] = value
  }
  // The link of a list that goes on from a position.
  const [, after] = /[?&]after=([^&>]+)/.exec(headers['link'] ?? '') ?? []
  if (after !== undefined) Object.assign(structuredContent, { nextAfter: after, hasMore: true })
  return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent }
}

/** Without structuredContent: clients of the SDK 1.x compare it with the output schema, also that of an error. */
function failure(error: ErrorBody): ToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(error) }], isError: true }
}
