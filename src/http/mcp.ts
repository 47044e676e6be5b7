import type { Operation } from '../contract/operation.ts'
import type { Clock } from '../inventory/clock.ts'
import { PetStoreError } from '../inventory/errors.ts'
import type { ApiKey } from '../inventory/keys.ts'
import type { OperationRequest, OperationResponse } from '../mcp/call.ts'
import type { McpEndpoint } from '../mcp/endpoint.ts'
import { isTool, maxResultBytes } from '../mcp/tool.ts'
import type { Exchange, Gates, Reply, Route } from './exchange.ts'
import { authorize } from './gates/authenticate.ts'
import { checkInput } from './gates/input.ts'
import { findRoute } from './gates/known-paths.ts'
import { refuseAfterSunset } from './gates/sunset.ts'
import type { Observer } from './replies/observe.ts'
import { wholeBody } from './replies/whole-body.ts'
import type { ReceivedRequest } from './request/received-request.ts'
import { type Deliver, requestPath } from './request-path.ts'
import { openRoute } from './route.ts'
import { routeTable } from './route-table.ts'

export interface McpOptions {
  /** The operations that are served. */
  routes: readonly Route[]
  clock: Clock
  observer: Observer
  corsOrigins: readonly string[]
  load?: LoadEndpoint | undefined
  toolPath?: ToolPath | undefined
}

/** Changes how tools are carried out. */
export interface ToolPath {
  /** `tool` is the request of a tool call that `message` brought. */
  begin(tool: Exchange, message: Exchange): void
  gates(gates: Gates): Gates
  deliver(tool: Exchange, reply: Reply, pass: Deliver): void
}

/** The endpoint knows no shop: several can share one. */
export type LoadEndpoint = (operations: readonly Operation[]) => Promise<McpEndpoint>

/** The headers that the protocol reads. */
const protocolHeaders = ['accept', 'content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name'] as const

/** `POST /mcp`, for agents. A tool is an operation: it passes the gates behind the key and is logged like any other. */
export function mcpRoutes(options: McpOptions): Route[] {
  const { routes, clock, observer, corsOrigins, load = endpointLoader(), toolPath } = options
  // Of tools only: to the others an argument such as the id "import" must not lead.
  const tools = routes.filter(({ operation }) => operation !== undefined && isTool(operation))
  const gates: Gates = {
    findRoute: findRoute(routeTable(tools)),
    authorize,
    refuseAfterSunset: refuseAfterSunset(clock),
    checkInput,
  }
  const answer = requestPath(Object.values(toolPath?.gates(gates) ?? gates), observer)
  const operations = tools.flatMap(({ operation }) => operation ?? [])
  function run(outer: Exchange, request: OperationRequest): Promise<OperationResponse> {
    const inner = outer.within(request, request.method === 'GET' ? maxResultBytes : Infinity)
    toolPath?.begin(inner, outer)
    return new Promise((resolve) => {
      const pass: Deliver = (_inner, { status, headers, body }) =>
        resolve({ status, headers: { ...inner.response.headers, ...headers }, body: String(wholeBody(body) ?? '') })
      answer(inner, toolPath === undefined ? pass : (tool, reply) => toolPath.deliver(tool, reply, pass))
    })
  }

  async function handle(exchange: Exchange): Promise<Reply> {
    refuseForeignPage(exchange.request, corsOrigins)
    const headers: Record<string, string> = {}
    for (const name of protocolHeaders) {
      const value = exchange.request.incoming?.headers[name]
      if (value !== undefined) headers[name] = String(value)
    }
    const { permission } = exchange.findings.key as ApiKey
    const body = (exchange.findings.body as Buffer | undefined) ?? Buffer.alloc(0)
    const request = { body, headers, permission, run: (inner: OperationRequest) => run(exchange, inner) }
    const { status, contentType, body: text } = await (await load(operations))(request)
    return {
      status,
      headers: { ...(contentType !== undefined && { 'content-type': contentType }), 'cache-control': 'no-store' },
      ...(text !== '' && { body: text }),
    }
  }

  return [openRoute('POST', '/mcp', handle, { requiresKey: true, checkBody: (bytes) => bytes })]
}

/** Loads the library of the protocol for the first request that needs it, and keeps the endpoint. */
export function endpointLoader(): LoadEndpoint {
  let endpoint: McpEndpoint | undefined
  return async (operations) => (endpoint ??= (await import('../mcp/endpoint.ts')).mcpEndpoint(operations))
}

const loopback = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/

/**
 * A page may use the endpoint only from an origin that is configured, or from this service on the same machine. No other
 * host may call itself this service: its name could be made to lead here.
 */
function refuseForeignPage({ headers: { origin }, host }: ReceivedRequest, corsOrigins: readonly string[]): void {
  if (origin === undefined || corsOrigins.includes('*') || corsOrigins.includes(origin)) return
  if (loopback.test(host) && origin === `http://${host}`) return
  throw new PetStoreError('forbidden', 'Pages of this origin may not use this endpoint.')
}
