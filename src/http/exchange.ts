import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Operation } from '../contract/operation.ts'
import type { ByteBudget, Reservation } from '../inventory/byte-budget.ts'
import type { Caller } from '../inventory/caller.ts'
import type { PetStoreError } from '../inventory/errors.ts'
import type { ApiKey } from '../inventory/keys.ts'
import type { StoredInvitation } from '../inventory/stored-invitation.ts'
import { encodedAuthor } from './request/author.ts'
import { openReservation, RequestCaller } from './request/caller.ts'
import type { InnerRequest } from './request/inner-request.ts'
import { readHeaders, type RequestHeaders, type WithHeaders } from './request/request-headers.ts'
import { requestIdFrom } from './request/request-id.ts'
import { readTarget, type Target } from './request/target.ts'

/** The body of a reply: whole, in parts, or written by a function after the head was sent. */
export type Body = string | Buffer | readonly Buffer[] | ((exchange: Exchange) => void)

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
}

export type Handler = (exchange: Exchange) => Reply | Promise<Reply>

/**
 * A step before the handler. It lets the request pass, refuses it by an error, or replies itself. Most steps need not
 * wait: a promise is only for those that do.
 */
export type Gate = (exchange: Exchange) => Reply | undefined | void | Promise<Reply | undefined | void>

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

/** Who answers a request: the operation, or the server, before the request is complete. */
type Owner = 'operation' | 'refusal'
/** What an exchange knows of its server. */
export interface Site {
  /** For the bytes that are in memory for clients. */
  readonly budget: ByteBudget
  baseOf(exchange: Exchange): string
  clientAddressOf(exchange: Exchange): string | undefined
}

/** A request and what is known of it so far, and its response. The gates fill it in. */
export class Exchange implements WithHeaders {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** When the head of the request had arrived, by `performance.now()`. */
  readonly startedAt = performance.now()
  readonly headers: RequestHeaders
  readonly requestId: string
  readonly method: string
  readonly target: Target
  /** Undefined for an unknown path or method. */
  route: Route | undefined = undefined
  /** The methods of the path, if it is known. */
  allow: string | undefined = undefined
  requiresKey = false
  key: ApiKey | undefined = undefined
  /** Its token was sent in the place of a key. */
  invitation: StoredInvitation | undefined = undefined
  /** The parameters in the path, decoded. */
  params: Readonly<Record<string, string>> = noParameters
  query: unknown = undefined
  body: unknown = undefined
  /** The headers of the response so far. Every response has them, errors too. */
  readonly replyHeaders: Record<string, string> = {}
  vary: string | undefined = undefined
  /** Offers the reply to the response cache. */
  cacheReply: ((reply: Reply) => void) | undefined = undefined
  /** The connection ends with this response. */
  mustClose = false
  /** The first line is not valid, although Node's parser accepts it. */
  hasMalformedLine = false
  /** An event stream, which does not end by itself. */
  isStream = false
  /** The bytes of the response are shared and limited elsewhere. */
  isShared = false
  /** Larger texts are of no use to the client: they are refused before they are read. */
  maxTextBytes = Infinity
  private readonly site: Site
  private owner: Owner | undefined = undefined
  private bodyFault: AbortController | undefined = undefined
  private slowBody = false
  private knownBase: string | undefined = undefined
  private held: Reservation | undefined = undefined

  constructor(request: IncomingMessage, response: ServerResponse, site: Site) {
    this.request = request
    this.response = response
    this.site = site
    this.method = request.method as string
    this.headers = readHeaders(request.rawHeaders)
    this.requestId = requestIdFrom(this.headers)
    this.target = readTarget(request.url as string)
  }

  /** The host that the client named. */
  get host(): string {
    return this.target.authority ?? this.headers.host ?? ''
  }

  get hasBody(): boolean {
    return this.headers['content-length'] !== undefined || this.headers['transfer-encoding'] !== undefined
  }

  /**
   * Its body cannot be read: its end cannot be found (RFC 9112, 6.3), or it has a coding beside chunked. Node's parser
   * calls the server before it refuses the first, and does not decode the second.
   */
  get hasUnknownCoding(): boolean {
    const coding = this.headers['transfer-encoding']
    return coding !== undefined && coding.trim().toLowerCase() !== 'chunked'
  }

  /** The base address for links, ending in /v1. */
  get base(): string {
    return (this.knownBase ??= this.site.baseOf(this))
  }

  /** The address of the client, behind trusted proxies. */
  get clientAddress(): string | undefined {
    return this.site.clientAddressOf(this)
  }

  /** The author of the changes of the request, which has passed authentication. */
  get author(): string {
    return encodedAuthor(this.key as ApiKey, this.requestId)
  }

  /** For the storage: who waits for the response. */
  get caller(): Caller {
    return new RequestCaller(this)
  }

  /** What is in memory for the response, until it was sent or its connection ended. Small ones reserve nothing. */
  get reservation(): Reservation {
    return (this.held ??= openReservation(this.site.budget, this.response, this.key?.id))
  }

  get reservedBytes(): number {
    return this.held?.bytes ?? 0
  }

  /** A request that is carried out as a part of this one: with its key, its id and its client. It has been read. */
  within({ method, url, headers, body }: InnerRequest, maxTextBytes: number): Exchange {
    const rawHeaders = Object.entries({ ...headers, host: this.host, 'x-request-id': this.requestId }).flat()
    const request = { method, url, rawHeaders, httpVersion: '1.1', complete: true, socket: this.request.socket }
    const inner = new Exchange(request as unknown as IncomingMessage, this.response, this.site)
    inner.key = this.key
    inner.held = this.reservation
    inner.maxTextBytes = maxTextBytes
    inner.body = body === undefined ? undefined : Buffer.from(body)
    return inner
  }

  /** Adds each name once, although a handler may be repeated. */
  addVary(names: string): void {
    const known = this.vary?.split(', ') ?? []
    this.vary = [...known, ...names.split(', ').filter((name) => !known.includes(name))].join(', ')
  }

  /**
   * Claims the request. The first claim stands, so what was refused is never carried out, whatever arrives later, and
   * what is being carried out is never refused. Nothing may be stored for a request before its operation has claimed it.
   */
  claim(by: Owner): boolean {
    return (this.owner ??= by) === by
  }

  get isRefused(): boolean {
    return this.owner === 'refusal'
  }

  /**
   * Exempts the request from the time limit for its body: its operation reads the body itself and has a limit of its
   * own. The signal is aborted, with an error for the client, if the rest of the body cannot be read.
   */
  allowSlowBody(): AbortSignal {
    this.slowBody = true
    return (this.bodyFault ??= new AbortController()).signal
  }

  get mayBeSlow(): boolean {
    return this.slowBody
  }

  /** Tells the operation that reads the body why the rest cannot be read. It may not have begun yet. */
  reportBodyFault(fault: PetStoreError): void {
    ;(this.bodyFault ??= new AbortController()).abort(fault)
  }
}

const noParameters = Object.freeze({})
