import type { Writable } from 'node:stream'
import type { Socket } from 'node:net'
import type { Operation } from '../contract/operation.ts'
import type { Reservation } from '../inventory/byte-budget.ts'
import type { Caller } from '../inventory/caller.ts'
import type { ApiKey } from '../inventory/keys.ts'
import type { StoredInvitation } from '../inventory/stored-invitation.ts'
import { encodedAuthor } from './request/author.ts'
import { RequestCaller } from './request/caller.ts'
import type { InnerRequest } from './request/inner-request.ts'
import type { ReceivedRequest } from './request/received-request.ts'
import { ResponseState } from './response-state.ts'

/** The body of a reply: whole, in parts, or written by a function after the head was sent. */
export type Body = string | Buffer | readonly Buffer[] | ((outgoing: Outgoing) => void)
/** Where such a function writes: a `ServerResponse`, or what changes the bytes before it. */
export type Outgoing = Writable & { readonly socket: Socket | null }

/** What a handler returns, apart from the headers that every response of its operation has. */
export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Undefined for a response that has none, such as 204. */
  readonly body?: Body | undefined
  /** The request headers that change this reply, for `Vary`. */
  readonly vary?: string | undefined
  /** A representation with an entity tag: its client may get 304 or 412 instead. */
  readonly isRepresentation?: true
  /** The body is in memory once for all clients, so it does not count for the one that does not read it. */
  readonly isShared?: true
  /** An event stream, which does not end by itself. */
  readonly isStream?: true
}

export type Handler = (exchange: Exchange) => Reply | Promise<Reply>

/**
 * A step before the handler. It lets the request pass, refuses it by an error, or replies itself. Most steps need not
 * wait: a promise is only for those that do.
 */
export type Gate = (exchange: Exchange) => Reply | undefined | void | Promise<Reply | undefined | void>

/** What a request passes, by name and in order; undefined for a gate that is not configured. */
export type Gates = Readonly<Record<string, Gate | undefined>>

/** One method of one path. */
export interface Route {
  readonly method: Operation['method']
  /** With parameters, such as /v1/pets/:petId. */
  readonly path: string
  readonly operation?: Operation
  readonly requiresKey: boolean
  /** The most bytes that the body of a request may have. */
  readonly maxBodyBytes: number
  /** Return the input that the handler gets, or throw. `isStrict`: names that the schema does not have are refused. */
  readonly checkQuery?: (query: string, isStrict: boolean) => unknown
  readonly checkBody?: (body: Buffer | undefined, isStrict: boolean) => unknown
  /** The handler reads the body itself. */
  readonly streamsBody?: true
  /** Responses may be sent again until the next commit: they depend on nothing but address, host and coding. */
  readonly isCached?: true
  readonly handle: Handler
}

/** What the gates find, each member by one gate. Handlers read it. */
export class Findings {
  /** Undefined for an unknown path or method. */
  route: Route | undefined = undefined
  /** The methods of the path, if it is known. */
  allow: string | undefined = undefined
  requiresKey = false
  /** The parameters in the path, decoded. */
  params: Readonly<Record<string, string>> = noParameters
  key: ApiKey | undefined = undefined
  /** Its token was sent in the place of a key. */
  invitation: StoredInvitation | undefined = undefined
  /** Offers the reply to the response cache. */
  cacheReply: ((reply: Reply) => void) | undefined = undefined
  /** The bytes of the body, then what the handler gets of it. */
  body: unknown = undefined
  query: unknown = undefined
}

/** A request on its way to its response: what was asked, what the gates have found, and how it is answered. */
export class Exchange {
  readonly request: ReceivedRequest
  readonly findings = new Findings()
  readonly response: ResponseState

  constructor(request: ReceivedRequest, response: ResponseState) {
    this.request = request
    this.response = response
  }

  /** The author of the changes of the request, which has passed authentication. */
  get author(): string {
    return encodedAuthor(this.findings.key as ApiKey, this.request.id)
  }

  /** For the storage: who waits for the response. */
  get caller(): Caller {
    return new RequestCaller(this)
  }

  /** The memory of the response, in the name of the key. */
  get reservation(): Reservation {
    return this.response.reservationOf(this.findings.key?.id)
  }

  /** Answers without the rest of the body. Node discards an unread body only if nothing of it was read. */
  leaveBody(): void {
    const { incoming, hasBody, isComplete } = this.request
    if (hasBody && !isComplete) this.response.closeConnection()
    incoming?.resume()
  }

  /** A request that is carried out as a part of this one, with its key. It has been read. */
  within({ method, url, headers, body }: InnerRequest, maxTextBytes: number): Exchange {
    const { key } = this.findings
    const inner = new Exchange(this.request.inner(method, url, headers), this.response.inner(key?.id, maxTextBytes))
    inner.findings.key = key
    inner.findings.body = body === undefined ? undefined : Buffer.from(body)
    return inner
  }
}

const noParameters = Object.freeze({})
