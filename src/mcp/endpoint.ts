import { randomUUID } from 'node:crypto'
import {
  type CallToolResult,
  createMcpHandler,
  type ListToolsResult,
  ProtocolError,
  ProtocolErrorCode,
  Server,
} from '@modelcontextprotocol/server'
import { apiVersion } from '../contract/document/openapi.ts'
import { includesPermission, type Operation, type Permission } from '../contract/operation.ts'
import { callTool, type RunOperation } from './call.ts'
import { isRawJson } from '../contract/raw-json.ts'
import { parseExactly } from './exact-json.ts'
import { toolOf } from './tool.ts'
import { instructions } from './words.ts'

/** A message to the endpoint. Its key has been checked. */
export interface McpRequest {
  body: Buffer
  /** Those that the protocol uses. */
  headers: Readonly<Record<string, string>>
  permission: Permission
  run: RunOperation
}

export interface McpResponse {
  status: number
  contentType: string | undefined
  body: string
}

export type McpEndpoint = (request: McpRequest) => Promise<McpResponse>

/** Far more than any tool takes. The library and the exact parser look at each, on the event loop that serves everybody. */
const maxValues = 1_000

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** These operations as tools for agents (Model Context Protocol). Nothing is kept from one request to the next. */
export function mcpEndpoint(operations: readonly Operation[]): McpEndpoint {
  const offered = new Map(operations.map((operation) => [operation.id, operation]))
  const tools = new Map([...offered].map(([name, operation]) => [name, toolOf(operation)]))

  function serverFor({ permission, run }: McpRequest, { given }: Message): Server {
    const info = { name: 'petstore', title: 'Pet Store', version: apiVersion }
    const server = new Server(info, { capabilities: { tools: {} }, instructions })
    server.setRequestHandler('tools/list', () => {
      const allowed = [...tools.values()].filter(({ name }) => mayCall(permission, offered.get(name) as Operation))
      return { tools: allowed } as unknown as ListToolsResult
    })
    server.setRequestHandler('tools/call', async ({ params }) => {
      const operation = offered.get(params.name)
      if (operation === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'There is no such tool.')
      return (await callTool(operation, given, run)) as CallToolResult
    })
    return server
  }

  return async (request) => {
    const message = read(request.body)
    if ('refusal' in message) return message.refusal
    // A server of its own for each request: it has the permission of the key, and ends with the response.
    const { fetch } = createMcpHandler(() => serverFor(request, message))
    const { headers } = request
    const response = await fetch(new Request('http://petstore.invalid/mcp', { method: 'POST', headers }), {
      parsedBody: message.plain,
    })
    const contentType = response.headers.get('content-type') ?? undefined
    return { status: response.status, contentType, body: message.withItsId(await response.text()) }
  }
}

function mayCall(held: Permission, { permission }: Operation): boolean {
  return includesPermission(held, permission)
}

interface Message {
  /** For the library, which takes plain numbers only. */
  plain: object
  /** The arguments of a tool call as they were sent: the library rounds numbers, and drops `__proto__`. */
  given: Readonly<Record<string, unknown>>
  /** Gives a response the id of the message. */
  withItsId(response: string): string
}

/** The message, or what is answered if it is none. */
function read(body: Buffer): Message | { refusal: McpResponse } {
  let text: string
  let plain: unknown
  try {
    text = utf8.decode(body)
    plain = JSON.parse(text)
  } catch {
    return { refusal: protocolError(-32700, 'The body is not JSON in UTF-8.') }
  }
  if (typeof plain !== 'object' || plain === null || Array.isArray(plain)) {
    return { refusal: protocolError(-32600, 'Send one JSON-RPC message, an object, in each request.') }
  }
  if (!hasAtMost(maxValues, plain)) {
    return { refusal: protocolError(-32600, `A message has at most ${maxValues} values, at all depths.`) }
  }
  const { id, method, params } = parseExactly(text) as {
    id?: unknown
    method?: unknown
    params?: { arguments?: unknown } | null
  }
  const isExactOnly = isRawJson(id)
  const known = isExactOnly || ['string', 'number'].includes(typeof id) ? id : null
  // It would be a stream without an end, and nothing about the tools ever changes.
  if (method === 'subscriptions/listen') {
    return { refusal: protocolError(-32601, 'There is nothing to subscribe to.', known) }
  }
  const fault = faultOfParams(method, (plain as { params?: unknown }).params)
  // A notification, which has no id, is not answered.
  if (fault !== undefined && id !== undefined) {
    return { refusal: { ...protocolError(-32602, fault, known), status: 200 } }
  }
  // The library refuses an id that it would round, so it gets a text in its place.
  const placeholderId = randomUUID()
  return {
    plain: { ...plain, ...(isExactOnly && { id: placeholderId }) },
    given: (params?.arguments ?? {}) as Message['given'],
    withItsId: (response) => (isExactOnly ? response.replace(`"${placeholderId}"`, JSON.stringify(id)) : response),
  }
}

/** The library would answer with the report of its parser, and an incomplete `initialize` as a fault of the service. */
function faultOfParams(method: unknown, params: unknown): string | undefined {
  if (method !== 'initialize' && method !== 'tools/call') return undefined
  if (!isObject(params)) return `${method} needs params, an object.`
  if (method === 'tools/call') {
    if (typeof params['name'] !== 'string') return 'params.name must be a text: the name of a tool.'
    return params['arguments'] === undefined || isObject(params['arguments'])
      ? undefined
      : 'params.arguments must be an object.'
  }
  const { protocolVersion, capabilities, clientInfo } = params
  if (typeof protocolVersion !== 'string') return 'params.protocolVersion must be a text, such as 2025-11-25.'
  if (!isObject(capabilities)) return 'params.capabilities must be an object.'
  const isNamed = isObject(clientInfo) && [clientInfo['name'], clientInfo['version']].every(isText)
  return isNamed ? undefined : 'params.clientInfo must be an object with a name and a version, both texts.'
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isText(value: unknown): boolean {
  return typeof value === 'string'
}

/** Whether a value of JSON has so few values in it, at all depths. Looks at no more than that. */
function hasAtMost(max: number, root: object): boolean {
  const found: unknown[] = [root]
  for (const each of found) {
    if (typeof each !== 'object' || each === null) continue
    const values: unknown[] = Object.values(each)
    if (found.length + values.length > max) return false
    found.push(...values)
  }
  return true
}

function protocolError(code: number, message: string, id: unknown = null): McpResponse {
  const body = JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } })
  return { status: 400, contentType: 'application/json', body }
}
