import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { isRawJson, rawJson } from '../../contract/raw-json.ts'
import type { Exchange, Reply, Route } from '../../http/exchange.ts'
import type { ReceivedRequest } from '../../http/request/received-request.ts'
import { type Coding, encodeWith } from '../../http/replies/content-coding.ts'
import { wholeBody } from '../../http/replies/whole-body.ts'
import type { ShopState, Storage } from '../../inventory/storage.ts'
import type { Parts } from './bug.ts'

/** What a bug may change of a request. For everything else it is as it was received. */
interface ChangeableRequest extends Changeable<Pick<ReceivedRequest, 'method' | 'id'>> {
  target: Changeable<ReceivedRequest['target']>
  headers: Changeable<ReceivedRequest['headers']>
}
type Changeable<Value> = { -readonly [Name in keyof Value]: Value[Name] }

/** Changes a request before anything reads it. */
export function request(change: (request: ChangeableRequest) => void): Parts {
  return {
    gates: (gates) => ({
      ...gates,
      findRoute(exchange) {
        change(exchange.request)
        return gates['findRoute']?.(exchange)
      },
    }),
  }
}

/** Changes the parameters of a list of animals. */
export function listQuery(change: (query: URLSearchParams) => void): Parts {
  return request(({ method, target }) => {
    if (target.path !== '/v1/pets' || (method !== 'GET' && method !== 'HEAD')) return
    const query = new URLSearchParams(target.query)
    const before = query.toString()
    change(query)
    if (query.toString() !== before) target.query = query.toString()
  })
}

/** The value of a parameter that is given once. */
export function single(query: URLSearchParams, name: string): string {
  const [value = '', more] = query.getAll(name)
  return more === undefined ? value : ''
}

/** Changes the members of the JSON object that is sent to an operation. Numbers keep their digits. */
export function sentBody(operation: string, change: (body: Record<string, unknown>) => void): Parts {
  return beforeInput(operation, (exchange) => {
    let value: unknown
    try {
      value = JSON.parse(String(exchange.findings.body), (_name, one: unknown, context?: { source?: string }) =>
        typeof one === 'number' ? rawJson(context?.source ?? String(one)) : one,
      )
    } catch {
      return
    }
    if (typeof value !== 'object' || value === null || Array.isArray(value) || isRawJson(value)) return
    const before = JSON.stringify(value)
    change(value as Record<string, unknown>)
    if (JSON.stringify(value) !== before) exchange.findings.body = Buffer.from(JSON.stringify(value))
  })
}

/** Runs when the body of a request to this operation was read and not yet checked. */
export function beforeInput(operation: string, change: (exchange: Exchange) => void): Parts {
  return {
    gates: (gates) => ({
      ...gates,
      checkInput(exchange) {
        if (operationOf(exchange) === operation) change(exchange)
        return gates['checkInput']?.(exchange)
      },
    }),
  }
}

/** Changes every reply, errors too. */
export function reply(change: (reply: Reply, exchange: Exchange) => Reply): Parts {
  return { send: (exchange, honest, send) => send(exchange, change(honest, exchange)) }
}

/** Changes the replies of some operations with a status below 400. */
export function replyOf(operations: readonly string[], change: (reply: Reply, exchange: Exchange) => Reply): Parts {
  return reply((honest, exchange) =>
    honest.status < 400 && operations.includes(operationOf(exchange) ?? '') ? change(honest, exchange) : honest,
  )
}

/** Changes the text of replies of some operations. */
export function text(operations: readonly string[], change: (body: string) => string): Parts {
  return replyOf(operations, (honest) => withText(honest, change))
}

const decoders: Record<Coding, (body: Buffer) => Buffer> = {
  zstd: (body) => zstdDecompressSync(body),
  br: (body) => brotliDecompressSync(body),
  gzip: (body) => gunzipSync(body),
}

/** Changes the text of a reply, which stays compressed as it was. */
export function withText(honest: Reply, change: (body: string) => string | Buffer): Reply {
  const before = textOf(honest)
  if (before === undefined) return honest
  const coding = codingOf(honest)
  const body = change(before)
  return { ...honest, body: coding === undefined ? body : encodeWith(coding, body) }
}

/** The text of a reply, decompressed; undefined for a stream. */
export function textOf(honest: Reply): string | undefined {
  const body = wholeBody(honest.body)
  if (body === undefined) return undefined
  const coding = codingOf(honest)
  return coding === undefined ? body.toString() : decoders[coding](Buffer.from(body)).toString()
}

export function codingOf({ headers }: Reply): Coding | undefined {
  return headers['content-encoding'] as Coding | undefined
}

/** Changes the text of errors. */
export function errorText(change: (body: string, status: number) => string): Parts {
  return reply((honest) =>
    honest.status >= 400 && typeof honest.body === 'string'
      ? { ...honest, body: change(honest.body, honest.status) }
      : honest,
  )
}

/** Changes or removes a header of a reply, whoever has set it. */
export function header(
  name: string,
  change: (value: string, reply: Reply, exchange: Exchange) => string | undefined,
): Parts {
  return reply((honest, exchange) => {
    const before = honest.headers[name] ?? exchange.response.headers[name]
    if (before === undefined) return honest
    const value = change(before, honest, exchange)
    const { [name]: _before, ...headers } = honest.headers
    delete exchange.response.headers[name]
    return { ...honest, headers: value === undefined ? headers : { ...headers, [name]: value } }
  })
}

/** Changes the route of an operation. */
export function route(operation: string, change: (honest: Route) => Route): Parts {
  return { route: (honest) => (honest.operation?.id === operation ? change(honest) : honest) }
}

type Ports = Pick<Storage, 'pets' | 'orders' | 'categories' | 'events' | 'keys' | 'imports'>

/** Exchanges methods of a port, also where several reads see one state. Lists of pets have animals, never JSON. */
export function port<Name extends keyof Ports>(
  name: Name,
  change: (honest: Ports[Name], storage: Storage) => Partial<Ports[Name]>,
): Parts {
  return {
    ports: (storage) => ({
      [name]: { ...storage[name], ...change(withAnimals(storage)[name], storage) },
      atOneState: (read, caller) =>
        storage.atOneState((state, inState) => {
          if (!(name in state)) return read(state, inState)
          const honest = { ...storage[name], ...state[name as keyof ShopState] }
          return read({ ...state, [name]: { ...honest, ...change(honest, storage) } }, inState)
        }, caller),
    }),
  }
}

function withAnimals(storage: Storage): Storage {
  const { pets } = storage
  return { ...storage, pets: { ...pets, list: (query, ...page) => pets.list({ ...query, asJson: false }, ...page) } }
}

export function operationOf({ findings }: Exchange): string | undefined {
  return findings.route?.operation?.id
}

/** Operations that return animals. */
export const petOperations = ['listPets', 'createPet', 'getPet', 'updatePet'] as const
export const orderOperations = ['listOrders', 'placeOrder', 'getOrder', 'updateOrder'] as const
