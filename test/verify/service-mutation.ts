import { send } from '../../verify/src/http/send.ts'
import type { HttpRequest } from '../../verify/src/http/send.ts'

/** A request to the service and its response, to be changed. */
export interface Passage {
  method: string
  /** With the query, below /v1. */
  path: string
  /** Names in lower case. */
  asked: ReadonlyMap<string, string>
  authorization: string
  sent: string
  status: number
  headers: Map<string, string>
  body: string
}

/** A request before it is sent, to be changed. */
export interface Request {
  method: string
  path: string
  /** Names in lower case. */
  headers: Map<string, string>
  body: string | undefined
}

/** Our service, wrong in one way. */
export interface ServiceMutation {
  name: string
  /** Changes responses. Made anew for each run: it may remember. */
  change?: () => (passage: Passage) => unknown
  /** Changes requests. */
  alter?: (request: Request) => unknown
  /** Exactly the checks that fail. */
  fails: readonly string[]
}

/** Sends requests to the service, with one thing wrong. `record` gets each passage before it is changed. */
export function mutatedTransport(
  { change, alter }: Pick<ServiceMutation, 'change' | 'alter'>,
  record: (request: Request, passage: Passage) => void = () => undefined,
): typeof send {
  const changePassage = change?.()
  return async (request, limits) => {
    const asked = requestOf(request)
    const altered = copyOf(asked)
    alter?.(altered)
    const { status, headers, body } = await send(
      isSame(asked, altered) ? request : withRequest(request, altered),
      limits,
    )
    const text = body.toString()
    const passage: Passage = {
      method: asked.method,
      path: asked.path,
      asked: asked.headers,
      authorization: asked.headers.get('authorization') ?? '',
      sent: asked.body ?? '',
      status,
      headers: new Map(headers),
      body: text,
    }
    record(asked, copyOf(passage))
    changePassage?.(passage)
    // Compressed bytes are no text.
    return {
      status: passage.status,
      headers: [...passage.headers],
      body: passage.body === text ? body : Buffer.from(passage.body),
    }
  }
}

export interface Recorded {
  request: Request
  passage: Passage
}

/** Whether a mutation changes anything of what a check sent and received. */
export function touches({ change, alter }: ServiceMutation, recorded: readonly Recorded[]): boolean {
  const changePassage = change?.()
  return recorded.some(({ request, passage }) => {
    const [altered, changed] = [copyOf(request), copyOf(passage)]
    alter?.(altered)
    changePassage?.(changed)
    return !isSame(request, altered) || !isSame(passage, changed)
  })
}

function requestOf({ method, url, headers, body }: HttpRequest): Request {
  return {
    method,
    path: `${url.pathname}${url.search}`.replace('/v1', ''),
    headers: new Map(headers.map(([name, value]) => [name.toLowerCase(), value])),
    body,
  }
}

function withRequest(request: HttpRequest, { method, path, headers, body }: Request): HttpRequest {
  return {
    ...request,
    method,
    url: new URL(`/v1${path}`, request.url),
    // Their names are compared with their case where defaults are added.
    headers: [...headers].map(([name, value]) => [
      name.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase()),
      value,
    ]),
    ...(body !== undefined && { body }),
  }
}

function copyOf<One extends { headers: Map<string, string> }>(one: One): One {
  return { ...one, headers: new Map(one.headers) }
}

function isSame<One extends Request | Passage>(one: One, other: One): boolean {
  const { headers, ...rest } = one
  if (Object.entries(rest).some(([name, value]) => other[name as keyof One] !== value)) return false
  return headers.size === other.headers.size && [...headers].every(([name, value]) => other.headers.get(name) === value)
}
