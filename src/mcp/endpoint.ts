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

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** These operations as tools for agents (Model Context Protocol). Nothing is kept from one request to the next. */
export function mcpEndpoint(operations: readonly Operation[]): McpEndpoint {
  const offered = new Map(operations.map((operation) => [operation.id, operation]))
  const tools = new Map([...offered].map(([name, operation]) => [name, toolOf(operation)]))

  function serverFor({ permission, run }: McpRequest): Server {
    const info = { name: 'petstore', title: 'Pet Store', version: apiVersion }
    const server = new Server(info, { capabilities: { tools: {} }, instructions })
    server.setRequestHandler('tools/list', () => {
      const allowed = [...tools.values()].filter(({ name }) => mayCall(permission, offered.get(name) as Operation))
      return { tools: allowed } as unknown as ListToolsResult
    })
    server.setRequestHandler('tools/call', async ({ params }) => {
      const operation = offered.get(params.name)
      if (operation === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'There is no such tool.')
      return (await callTool(operation, params.arguments ?? {}, run)) as CallToolResult
    })
    return server
  }

  return async (request) => {
    const message = read(request.body)
    if ('refusal' in message) return message.refusal
    // A server of its own for each request: it has the permission of the key, and ends with the response.
    const { fetch } = createMcpHandler(() => serverFor(request))
    const { headers } = request
    const response = await fetch(new Request('http://petstore.invalid/mcp', { method: 'POST', headers }), {
      parsedBody: message.value,
    })
    const contentType = response.headers.get('content-type') ?? undefined
    return { status: response.status, contentType, body: await response.text() }
  }
}

function mayCall(held: Permission, { permission }: Operation): boolean {
  return includesPermission(held, permission)
}

/** The message, or what is answered if it is none. */
function read(body: Buffer): { value: object } | { refusal: McpResponse } {
  let value: unknown
  try {
    value = parseExactly(utf8.decode(body))
  } catch {
    return { refusal: protocolError(-32700, 'The body is not JSON in UTF-8, or it is nested too deeply.') }
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { refusal: protocolError(-32600, 'Send one JSON-RPC message, an object, in each request.') }
  }
  // It would be a stream without an end, and nothing about the tools ever changes.
  if ('method' in value && value.method === 'subscriptions/listen') {
    return { refusal: protocolError(-32601, 'There is nothing to subscribe to.', idOf(value)) }
  }
  return { value }
}

function idOf(message: object): unknown {
  return 'id' in message && ['string', 'number'].includes(typeof message.id) ? message.id : null
}

function protocolError(code: number, message: string, id: unknown = null): McpResponse {
  const body = JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } })
  return { status: 400, contentType: 'application/json', body }
}
