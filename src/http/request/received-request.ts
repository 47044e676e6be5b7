import type { IncomingMessage } from 'node:http'
import type { ByteBudget } from '../../inventory/byte-budget.ts'
import { readHeaders, type RequestHeaders, type WithHeaders } from './request-headers.ts'
import { requestIdFrom } from './request-id.ts'
import { readTarget, type Target } from './target.ts'

/** The ends of a connection, as its socket has them. */
export interface Peers {
  readonly remoteAddress?: string | undefined
  readonly localAddress?: string | undefined
  /** Over TLS. */
  readonly encrypted?: boolean
}

/** What a request begins with, whoever makes it: Node's parser, the call of a tool, or the server itself. */
export interface RequestHead {
  readonly method?: string | undefined
  readonly url?: string | undefined
  readonly httpVersion: string
  /** Names and values, alternating. */
  readonly rawHeaders: readonly string[]
  readonly socket: Peers
}

/** What a request knows of its server. */
export interface Site {
  /** For the bytes that are in memory for clients. */
  readonly budget: ByteBudget
  baseOf(request: ReceivedRequest): string
  clientAddressOf(request: ReceivedRequest): string | undefined
}

/** What was asked. It never changes. */
export class ReceivedRequest implements WithHeaders {
  /** When the head of the request had arrived, by `performance.now()`. */
  readonly startedAt = performance.now()
  readonly method: string
  readonly url: string
  readonly target: Target
  readonly headers: RequestHeaders
  readonly id: string
  /** The body on its way. Undefined for a request that no connection has brought: its body, if any, was read before. */
  readonly incoming: IncomingMessage | undefined
  /** The first line is not valid, although Node's parser accepts it. */
  readonly hasMalformedLine: boolean
  readonly site: Site
  private readonly head: RequestHead

  constructor(head: RequestHead, site: Site, incoming?: IncomingMessage, hasMalformedLine = false) {
    this.method = head.method ?? ''
    this.url = head.url ?? ''
    this.target = readTarget(this.url)
    this.headers = readHeaders(head.rawHeaders)
    this.id = requestIdFrom(this.headers)
    this.incoming = incoming
    this.hasMalformedLine = hasMalformedLine
    this.site = site
    this.head = head
  }

  get httpVersion(): string {
    return this.head.httpVersion
  }

  get rawHeaders(): readonly string[] {
    return this.head.rawHeaders
  }

  get peers(): Peers {
    return this.head.socket
  }

  /** The host that the client named. */
  get host(): string {
    return this.target.authority ?? this.headers.host ?? ''
  }

  /** The base address for links, ending in /v1. */
  get base(): string {
    return this.site.baseOf(this)
  }

  /** The address of the client, behind trusted proxies. */
  get clientAddress(): string | undefined {
    return this.site.clientAddressOf(this)
  }

  get hasBody(): boolean {
    return this.headers['content-length'] !== undefined || this.headers['transfer-encoding'] !== undefined
  }

  /** Nothing more of it will arrive. */
  get isComplete(): boolean {
    return this.incoming === undefined || this.incoming.complete
  }

  /**
   * Its body cannot be read: its end cannot be found (RFC 9112, 6.3), or it has a coding beside chunked. Node's parser
   * calls the server before it refuses the first, and does not decode the second.
   */
  get hasUnknownCoding(): boolean {
    const coding = this.headers['transfer-encoding']
    return coding !== undefined && coding.trim().toLowerCase() !== 'chunked'
  }

  /** A request that is carried out as a part of this one: with its host, its id and its client. */
  inner(method: string, url: string, headers: Readonly<Record<string, string>>): ReceivedRequest {
    const rawHeaders = Object.entries({ ...headers, host: this.host, 'x-request-id': this.id }).flat()
    return new ReceivedRequest({ method, url, rawHeaders, httpVersion: '1.1', socket: this.peers }, this.site)
  }
}
