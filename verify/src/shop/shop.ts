import { setTimeout as wait } from 'node:timers/promises'
import { type Exchange, isDropped, type ShopRequest } from './exchange.ts'
import { HttpFault } from '../http/response-reader.ts'
import { breakOff } from '../http/break-off.ts'
import { type HttpLimits, type HttpRequest, send } from '../http/send.ts'
import { Skipped } from './expect.ts'
import { withContent } from './content.ts'
import { httpRequestOf } from './http-request.ts'
import { skipIfNotAllowed } from './not-allowed.ts'
import { retryAfterS, RetryWaits } from './retry-after.ts'
import type { ShopOptions } from './shop-options.ts'
import { Traces } from './traces.ts'

/** For status line and headers. */
const maxHeadBytes = 64 * 1024
/** Of a stream, which is read again and again while it grows. */
const maxStreamBytes = 1024 * 1024
const defaultCleaningMs = 600_000
/** Requests that are sent at the same time. */
const groupSize = 8

export interface ShopObserver {
  sending(request: ShopRequest): void
  take(exchange: Exchange): void
}

/** The shop that is judged: sends requests and remembers what they may have added. */
export class Shop extends Traces {
  readonly options: ShopOptions
  requests = 0
  hasResponded = false
  lastFault: string | undefined
  /** How the name of the header of the key is written. */
  authorizationName = 'Authorization'
  /** Sees every request and every response, those of set-up and clean-up too. */
  observer: ShopObserver | undefined
  readonly #limits: HttpLimits
  readonly #streamLimits: HttpLimits
  readonly #pace: () => Promise<void>
  #retryWaits = new RetryWaits()
  #isCleaning = false
  /** When nothing more is sent, as `performance.now()` says it. */
  #endsAt = Number.POSITIVE_INFINITY

  constructor(options: ShopOptions) {
    super()
    this.options = options
    this.#limits = { maxHeadBytes, maxBodyBytes: options.maxBodyBytes, timeoutMs: options.timeoutMs }
    this.#streamLimits = { ...this.#limits, maxBodyBytes: Math.min(options.maxBodyBytes, maxStreamBytes) }
    this.#pace = paceOf(options.requestsPerSecond)
  }

  /**
   * From now on only what was added is removed: nothing is skipped, and an interruption ends no wait. After a limited
   * time nothing more is sent.
   */
  startCleaning(): void {
    this.#isCleaning = true
    this.#retryWaits = new RetryWaits()
    this.#endsAt = performance.now() + (this.options.maxCleaningMs ?? defaultCleaningMs)
  }

  /** Whether nothing more is sent. */
  get hasEnded(): boolean {
    return performance.now() >= this.#endsAt
  }

  /**
   * What goes wrong is in the exchange. Rejects only with Skipped: if the run was interrupted, if the shop limits
   * requests for longer than the run waits, or if the key may read but not write.
   */
  async send(request: ShopRequest, when: 'paced' | 'now' = 'paced'): Promise<Exchange> {
    if (when === 'paced' && !this.hasEnded) await this.#pace()
    let exchange = await this.#sendOnce(request)
    for (let waitedMs = 0; ; ) {
      const waitMs = 1000 * (retryAfterS(exchange, this.options.clock()) ?? Number.POSITIVE_INFINITY)
      const now = performance.now()
      if (now + waitMs > this.#endsAt || !this.#retryWaits.take(waitMs, waitedMs, now)) break
      waitedMs += waitMs
      await this.#wait(waitMs)
      await this.#pace()
      exchange = await this.#sendOnce(request)
    }
    if (!this.#isCleaning) skipIfNotAllowed(exchange, this.acceptedCreates > 0)
    return exchange
  }

  /**
   * Sends requests at the same time, each on a connection of its own. One that got no byte is sent again alone: a system
   * may drop connections that a server does not accept soon enough.
   */
  async sendTogether(requests: readonly ShopRequest[]): Promise<Exchange[]> {
    for (const _ of requests) await this.#pace()
    const settled = await Promise.allSettled(requests.map((request) => this.send(request, 'now')))
    const rejected = settled.find((one) => one.status === 'rejected')
    if (rejected !== undefined) throw rejected.reason
    const exchanges = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
    let isAlive = exchanges.length > 1
    for (const [index, exchange] of exchanges.entries()) {
      if (!isAlive || !isDropped(exchange)) continue
      const alone = await this.send(exchange.request)
      exchanges[index] = alone
      isAlive = !isDropped(alone)
    }
    return exchanges
  }

  /** Sends requests whose order does not matter, some at the same time: a shop may be slow. */
  async *sendAll(requests: readonly ShopRequest[]): AsyncGenerator<Exchange> {
    for (let start = 0; start < requests.length; start += groupSize)
      yield* await this.sendTogether(requests.slice(start, start + groupSize))
  }

  /** Waits until every animal that was added by then has had its time to be seen. */
  async settle(byMs = this.lastAcceptedMs): Promise<void> {
    await this.#wait(Math.max(0, byMs + this.options.settleMs - performance.now()))
  }

  /** An interruption ends it early. */
  async #wait(durationMs: number): Promise<void> {
    const { signal } = this.options
    const options = this.#isCleaning || signal === undefined ? {} : { signal }
    await wait(durationMs, undefined, options).catch(() => undefined)
  }

  async #sendOnce(request: ShopRequest): Promise<Exchange> {
    const { connection } = request
    const usual: typeof send = connection === undefined ? send : (one, limits) => connection.send(one, limits)
    const transport = this.options.transport ?? usual
    const sent = this.#httpRequestOf(request)
    const { url } = sent
    if (this.hasEnded) return { request, url, fault: 'was not asked in time' }
    if (this.options.signal?.aborted === true && !this.#isCleaning) throw new Skipped('the run was interrupted')
    this.requests++
    this.rememberRequest(request)
    this.observer?.sending(request)
    const sentMs = performance.now()
    let exchange: Exchange
    try {
      const response = await transport(sent, this.#limitsOf(request))
      this.hasResponded = true
      exchange = { request, url, response: withContent(response, request), sentMs, gotMs: performance.now() }
    } catch (error) {
      if (!(error instanceof HttpFault)) throw error
      this.lastFault = error.message
      exchange = { request, url, fault: error.message, sentMs, gotMs: performance.now() }
    }
    this.rememberResponse(exchange)
    this.observer?.take(exchange)
    return exchange
  }

  #httpRequestOf(request: ShopRequest): HttpRequest {
    const { url, key } = this.options
    return httpRequestOf(request, { base: url, key, authorizationName: this.authorizationName })
  }

  /** Ends the connection before the whole request was sent. Does nothing if there is no network. */
  async breakOff(request: ShopRequest, end: number): Promise<void> {
    if (this.options.transport === undefined) await breakOff(this.#httpRequestOf(request), end)
  }

  #limitsOf({ until }: ShopRequest): HttpLimits {
    const limits = until === undefined ? this.#limits : this.#streamLimits
    const remainingMs = Math.max(1, Math.ceil(this.#endsAt - performance.now()))
    return remainingMs < limits.timeoutMs ? { ...limits, timeoutMs: remainingMs } : limits
  }

  list(query = ''): Promise<Exchange> {
    return this.send({ method: 'GET', path: `/pets${query}` })
  }

  get(id: bigint | string): Promise<Exchange> {
    return this.send({ method: 'GET', path: `/pets/${id}` })
  }

  create(body: string): Promise<Exchange> {
    return this.send({ method: 'POST', path: '/pets', body })
  }

  /** Repeats a request until it shows what is expected, or the shop has had its time to settle. */
  async settled(
    ask: () => Promise<Exchange>,
    isSettled: (exchange: Exchange) => boolean,
    settleMs = this.options.settleMs,
  ): Promise<Exchange> {
    const deadline = performance.now() + settleMs
    for (;;) {
      // The last request begins after that time: one that began before may have been answered before.
      const isLast = performance.now() >= deadline
      const exchange = await ask()
      if (exchange.response === undefined || isSettled(exchange) || isLast) return exchange
      await this.#wait(100)
    }
  }
}

/** Lets calls pass one after another, at most so many in a second. */
export function paceOf(perSecond: number): () => Promise<void> {
  const gapMs = 1000 / perSecond
  let nextAt = 0
  return async () => {
    const now = performance.now()
    const at = Math.max(now, nextAt)
    nextAt = at + gapMs
    // Timers wait a millisecond at least.
    if (at - now >= 1) await wait(at - now)
  }
}
