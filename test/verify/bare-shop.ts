import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import type { ShopOptions } from '../../verify/src/shop/shop-options.ts'

// A pet store as a stranger writes it who has the contract and nothing else: bare node:http, an array, no DELETE.

export interface BareRequest {
  method: string
  path: string
  query: URLSearchParams
  /** The query as it came, with its escapes. */
  search?: string
  authorization: string | undefined
  /** How the client wrote the name of that header. */
  authorizationName?: string | undefined
  accept?: string | undefined
  acceptEncoding?: string | undefined
  acceptLanguage?: string | undefined
  contentType?: string | undefined
  /** A header by its name in lower case. */
  header?: (name: string) => string | undefined
  body: string
  /** The body as it came. */
  parts?: readonly Buffer[]
}

export interface BareResponse {
  status: number
  type: string
  body: string
  headers?: Record<string, string>
}

/** An animal as JSON text: its integers keep their digits so. */
export interface BarePet {
  id: bigint
  name: string
  categoryId: string
  status: string | undefined
}

export type Handler = (request: BareRequest) => BareResponse | Promise<BareResponse>

export const bareKey = 'key-of-the-bare-shop'
const statuses: ReadonlySet<unknown> = new Set(['available', 'pending', 'sold'])

export class BareShop {
  pets: BarePet[] = []
  lastId = 0n

  handle(request: BareRequest): BareResponse {
    if (request.authorization !== `Bearer ${bareKey}`)
      return error(401, 'unauthorized', 'The API key is missing or wrong.')
    if (request.method === 'GET' && request.path === '/v1/pets') return this.list(request.query)
    if (request.method === 'POST' && request.path === '/v1/pets') return this.create(request.body)
    if (request.method === 'GET' && request.path.startsWith('/v1/pets/')) return this.get(request.path.slice(9))
    return error(404, 'not_found', 'There is nothing here.')
  }

  list(query: URLSearchParams): BareResponse {
    const status = query.get('status')
    const chosen = status === null ? this.pets : this.pets.filter((pet) => pet.status === status)
    return json(
      200,
      `[${chosen
        .slice(0, Number(query.get('limit') ?? 20))
        .map(encode)
        .join(',')}]`,
    )
  }

  create(body: string): BareResponse {
    const invalid = (message: string) => error(400, 'invalid', message)
    let value: Record<string, unknown> | null
    let categoryId = ''
    try {
      value = JSON.parse(body, (name: string, one: unknown, context?: { source?: string }) => {
        if (name === 'categoryId' && typeof one === 'number') categoryId = context?.source ?? ''
        return one
      })
    } catch {
      return invalid('The body is not JSON.')
    }
    if (typeof value !== 'object' || value === null) return invalid('The body is no object.')
    const { name, status } = value
    if (typeof name !== 'string') return invalid('name must be a string.')
    if (!/^-?\d+$/.test(categoryId) || BigInt.asIntN(64, BigInt(categoryId)) !== BigInt(categoryId))
      return invalid('categoryId must be an int64.')
    if (status !== undefined && !statuses.has(status)) return invalid('status must be one of the three.')
    return json(201, encode(this.add(name, categoryId, status as string | undefined)))
  }

  add(name: string, categoryId: string, status?: string): BarePet {
    const pet = { id: ++this.lastId, name, categoryId, status }
    this.pets.push(pet)
    return pet
  }

  get(id: string): BareResponse {
    const pet = this.pets.find((one) => String(one.id) === id)
    return pet === undefined ? error(404, 'not_found', 'No animal has this id.') : json(200, encode(pet))
  }
}

export function encode({ id, name, categoryId, status }: BarePet): string {
  const end = status === undefined ? '' : `,"status":${JSON.stringify(status)}`
  return `{"id":${id},"name":${JSON.stringify(name)},"categoryId":${categoryId}${end}}`
}

export function json(status: number, body: string): BareResponse {
  return { status, type: 'application/json', body }
}

export function error(status: number, code: string, message: string): BareResponse {
  return json(status, JSON.stringify({ code, message, status }))
}

/** Serves a handler on a free port until the test ends. Returns the base address. */
export async function serveBare(t: TestContext, handler: Handler): Promise<URL> {
  const server = createServer(async (request, response) => {
    let body = ''
    try {
      for await (const chunk of request.setEncoding('utf8')) body += chunk
    } catch {
      // The client is gone.
      return
    }
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost')
    const {
      status,
      type,
      body: text,
      headers,
    } = await handler({
      method: request.method ?? '',
      path: pathname,
      query: searchParams,
      authorization: request.headers.authorization,
      body,
    })
    response.writeHead(status, { ...headers, ...(type !== '' && { 'content-type': type }) }).end(text)
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`)
}

/** Calls a handler without a connection, which costs far less. */
export function directTransport(handler: Handler, version = '/v1'): NonNullable<ShopOptions['transport']> {
  return async ({ method, url, headers, body = '', bodyCuts = [] }) => {
    const valueOf = (name: string) => headers.find(([other]) => other === name)?.[1]
    const ends = [...bodyCuts, Buffer.byteLength(body)]
    const [authorizationName, credential] = headers.find(([name]) => /^authorization$/i.test(name)) ?? []
    const response = await handler({
      method,
      path: url.pathname.replace(version, '/v1'),
      query: url.searchParams,
      search: /\?.*$/.exec(url.href)?.[0] ?? '',
      authorization: credential?.trimEnd(),
      authorizationName,
      accept: valueOf('Accept'),
      acceptEncoding: valueOf('Accept-Encoding'),
      acceptLanguage: valueOf('Accept-Language'),
      contentType: valueOf('Content-Type'),
      header: (wanted) => headers.find(([name]) => name.toLowerCase() === wanted)?.[1],
      body,
      parts: ends.map((end, index) => Buffer.from(body).subarray(ends[index - 1] ?? 0, end)),
    })
    return {
      status: response.status,
      headers: Object.entries({ ...response.headers, ...(response.type !== '' && { 'content-type': response.type }) }),
      body: Buffer.from(response.body),
    }
  }
}
