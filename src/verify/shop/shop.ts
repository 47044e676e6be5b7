import { randomInt } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Exchange, ShopRequest } from './exchange.ts'
import { headerOf, jsonOf } from './exchange.ts'
import { HttpFault } from '../http/fault.ts'
import { type HttpLimits, send } from '../http/send.ts'
import { Skipped } from './expect.ts'
import { int64Of, member } from './json.ts'
import { paceOf } from './pace.ts'
import { retryAfterS } from './retry-after.ts'

export interface ShopOptions {
  /** The base address. */
  url: URL
  key: string
  /** Whether no animal may be added. */
  readOnly: boolean
  requestsPerSecond: number
  timeoutMs: number
  /** How long an animal that was added may take to be seen: the contract does not say at once. */
  settleMs: number
  /** The time, in milliseconds. */
  clock: () => number
  maxBodyBytes: number
  /** A category that the shop takes. Default: one is looked for. */
  category?: bigint
  /** Ends the run: nothing more is sent, except to remove what was added. */
  signal?: AbortSignal
  /** Sends a request, in the place of a connection. */
  transport?: typeof send
}

/** For status line and headers. */
const maxHeadBytes = 64 * 1024
/** A shop that limits requests, or asks to come back, is asked again: the contract does not speak of limits. */
const maxRetries = 3
/** Longer waits than this are not waited for at all. */
const maxRetryAfterS = 60
/** For all requests of a run. */
const maxRetryWaitS = 300

/** The shop that is judged: sends requests and remembers which animals may have been added. */
export class Shop {
  readonly options: ShopOptions
  /** Part of the name of every animal that this run adds. */
  readonly mark = `verify-${randomInt(36 ** 6)
    .toString(36)
    .padStart(6, '0')}`
  /** A category that probably no other animal has. It fits in 32 bits. */
  readonly markCategory = BigInt(randomInt(1_000_000_000, 2_000_000_000))
  /** The ids in the responses to creates. Some may not be ours if the shop is wrong. */
  readonly createdIds = new Set<bigint>()
  /** Those of creates without the mark in their name, which the shop should have refused. */
  readonly unmarkedIds = new Set<bigint>()
  /** The animals that the shop showed before the first create. They are not ours, whatever it shows later. */
  readonly foreignIds = new Set<bigint>()
  /** Creates that were sent. */
  creates = 0
  /** The most animals that a list had. A shop may have shorter pages than were asked for. */
  largestPage = 0
  /** How many creates may have added an animal whose id is not known. */
  lostCreates = 0
  requests = 0
  hasResponded = false
  lastFault: string | undefined
  readonly #limits: HttpLimits
  readonly #pace: () => Promise<void>
  #retryWaitS = 0
  #isCleaning = false

  constructor(options: ShopOptions) {
    this.options = options
    this.#limits = { maxHeadBytes, maxBodyBytes: options.maxBodyBytes, timeoutMs: options.timeoutMs }
    this.#pace = paceOf(options.requestsPerSecond)
  }

  /** From now on only what was added is removed: nothing is skipped, and an interruption ends no wait. */
  startCleaning(): void {
    this.#isCleaning = true
    this.#retryWaitS = 0
  }

  /**
   * What goes wrong is in the exchange. Rejects only with Skipped: if the run was interrupted, or if the shop limits
   * requests for longer than the run waits.
   */
  async send(request: ShopRequest): Promise<Exchange> {
    let exchange = await this.#sendOnce(request)
    for (let retry = 0; retry < maxRetries; retry++) {
      const seconds = retryAfterS(exchange, this.options.clock())
      if (seconds === undefined || seconds > maxRetryAfterS || this.#retryWaitS + seconds > maxRetryWaitS) break
      this.#retryWaitS += seconds
      await this.#wait(1000 * seconds)
      exchange = await this.#sendOnce(request)
    }
    if (exchange.response?.status === 429 && !this.#isCleaning) throw new Skipped(limitReason(exchange))
    return exchange
  }

  /** An interruption ends it early. */
  async #wait(durationMs: number): Promise<void> {
    const { signal } = this.options
    const options = this.#isCleaning || signal === undefined ? {} : { signal }
    await wait(durationMs, undefined, options).catch(() => undefined)
  }

  async #sendOnce(request: ShopRequest): Promise<Exchange> {
    const { url: base, key, transport = send } = this.options
    const { authorization = `Bearer ${key}`, contentType = 'application/json' } = request
    const url = new URL(base.href.replace(/\/$/, '') + request.path)
    const headers: [string, string][] = []
    if (authorization !== null) headers.push(['Authorization', authorization])
    if (request.body !== undefined) headers.push(['Content-Type', contentType])
    await this.#pace()
    if (this.options.signal?.aborted === true && !this.#isCleaning) throw new Skipped('the run was interrupted')
    this.requests++
    const { method, body } = request
    if (method === 'POST') this.creates++
    let exchange: Exchange
    try {
      const response = await transport({ method, url, headers, ...(body !== undefined && { body }) }, this.#limits)
      this.hasResponded = true
      exchange = { request, url, response }
    } catch (error) {
      if (!(error instanceof HttpFault)) throw error
      this.lastFault = error.message
      exchange = { request, url, fault: error.message }
    }
    if (method === 'POST') this.#rememberCreate(exchange)
    else if (/^\/pets(?:\?|$)/.test(request.path)) this.#rememberList(exchange)
    return exchange
  }

  #rememberList({ response }: Exchange): void {
    const pets = response === undefined ? undefined : jsonOf(response)
    if (!Array.isArray(pets)) return
    this.largestPage = Math.max(this.largestPage, pets.length)
    if (this.creates > 0) return
    for (const pet of pets) {
      const id = int64Of(member(pet, 'id'))
      if (id !== undefined) this.foreignIds.add(id)
    }
  }

  #rememberCreate({ request, response }: Exchange): void {
    const id = response === undefined ? undefined : int64Of(member(jsonOf(response), 'id'))
    if (id !== undefined && request.body?.includes(this.mark) !== true) this.unmarkedIds.add(id)
    if (id !== undefined) this.createdIds.add(id)
    else if (response === undefined || response.status < 400 || response.status >= 500) this.lostCreates++
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
  async settled(ask: () => Promise<Exchange>, isSettled: (exchange: Exchange) => boolean): Promise<Exchange> {
    const deadline = performance.now() + this.options.settleMs
    for (;;) {
      const exchange = await ask()
      if (exchange.response === undefined || isSettled(exchange) || performance.now() >= deadline) return exchange
      await this.#wait(100)
    }
  }
}

function limitReason({ response }: Exchange): string {
  const value = response && headerOf(response, 'retry-after')
  return `the shop limits requests: 429${value === undefined ? '' : `, Retry-After: ${value}`}`
}
