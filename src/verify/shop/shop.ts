import { randomInt } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Exchange, ShopRequest } from './exchange.ts'
import { jsonOf } from './exchange.ts'
import { HttpFault } from '../http/fault.ts'
import { type HttpLimits, send } from '../http/send.ts'
import { Skipped } from './expect.ts'
import { int64Of, member } from './json.ts'
import { skipIfNotAllowed } from './not-allowed.ts'
import { paceOf } from './pace.ts'
import { retryAfterS } from './retry-after.ts'
import type { ShopOptions } from './shop-options.ts'

/** For status line and headers. */
const maxHeadBytes = 64 * 1024
/** Of a stream, which is read again and again while it grows. */
const maxStreamBytes = 1024 * 1024
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
  /** Those that a check has removed. */
  readonly deletedIds = new Set<bigint>()
  /** Creates that were sent. */
  creates = 0
  /** The most animals that a list had. A shop may have shorter pages than were asked for. */
  largestPage = 0
  /** How many creates may have added an animal whose id is not known. */
  lostCreates = 0
  /** Where something else may have been added: pets/import, store/orders, categories, keys. */
  readonly others = new Set<string>()
  requests = 0
  hasResponded = false
  lastFault: string | undefined
  readonly #limits: HttpLimits
  readonly #streamLimits: HttpLimits
  readonly #pace: () => Promise<void>
  #retryWaitS = 0
  #isCleaning = false

  constructor(options: ShopOptions) {
    this.options = options
    this.#limits = { maxHeadBytes, maxBodyBytes: options.maxBodyBytes, timeoutMs: options.timeoutMs }
    this.#streamLimits = { ...this.#limits, maxBodyBytes: Math.min(options.maxBodyBytes, maxStreamBytes) }
    this.#pace = paceOf(options.requestsPerSecond)
  }

  /** From now on only what was added is removed: nothing is skipped, and an interruption ends no wait. */
  startCleaning(): void {
    this.#isCleaning = true
    this.#retryWaitS = 0
  }

  /**
   * What goes wrong is in the exchange. Rejects only with Skipped: if the run was interrupted, if the shop limits
   * requests for longer than the run waits, or if the key may read but not write.
   */
  async send(request: ShopRequest, when: 'paced' | 'now' = 'paced'): Promise<Exchange> {
    if (when === 'paced') await this.#pace()
    let exchange = await this.#sendOnce(request)
    for (let retry = 0; retry < maxRetries; retry++) {
      const seconds = retryAfterS(exchange, this.options.clock())
      if (seconds === undefined || seconds > maxRetryAfterS || this.#retryWaitS + seconds > maxRetryWaitS) break
      this.#retryWaitS += seconds
      await this.#wait(1000 * seconds)
      await this.#pace()
      exchange = await this.#sendOnce(request)
    }
    if (!this.#isCleaning) skipIfNotAllowed(exchange)
    return exchange
  }

  /** Sends requests at the same time, each on a connection of its own. */
  async sendTogether(requests: readonly ShopRequest[]): Promise<Exchange[]> {
    for (const _ of requests) await this.#pace()
    const settled = await Promise.allSettled(requests.map((request) => this.send(request, 'now')))
    const rejected = settled.find((one) => one.status === 'rejected')
    if (rejected !== undefined) throw rejected.reason
    return settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
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
    headers.push(...Object.entries(request.headers ?? {}))
    if (this.options.signal?.aborted === true && !this.#isCleaning) throw new Skipped('the run was interrupted')
    this.requests++
    const { method, body, until } = request
    const isCreate = method === 'POST' && request.path === '/pets'
    if (isCreate) this.creates++
    else if (method === 'POST' || method === 'PUT') this.#rememberOther(request)
    let exchange: Exchange
    try {
      const response = await transport(
        {
          method,
          url,
          headers,
          ...(body !== undefined && { body }),
          ...(until !== undefined && { until: (part) => until(part.body.toString()) }),
        },
        until === undefined ? this.#limits : this.#streamLimits,
      )
      this.hasResponded = true
      exchange = { request, url, response }
    } catch (error) {
      if (!(error instanceof HttpFault)) throw error
      this.lastFault = error.message
      exchange = { request, url, fault: error.message }
    }
    if (method === 'DELETE') this.#rememberDelete(exchange)
    if (isCreate) this.#rememberCreate(exchange)
    else if (/^\/pets(?:\?|$)/.test(request.path)) this.#rememberList(exchange)
    return exchange
  }

  #rememberOther({ path, body = '' }: ShopRequest): void {
    const [, room = ''] = /^\/(pets\/import|store\/orders|categories|keys)/.exec(path) ?? []
    this.others.add(room)
    if (room !== 'pets/import') return
    // The response does not say which animals were added.
    const rows = body.split(this.mark).length - 1
    this.creates += rows
    this.lostCreates += rows
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

  #rememberDelete({ request, response }: Exchange): void {
    const id = /^\/pets\/(\d{1,19})$/.exec(request.path)?.[1]
    if (id !== undefined && response?.status === 204) this.deletedIds.add(BigInt(id))
  }

  /** The ids of animals that were added by an import. */
  found(ids: readonly bigint[]): void {
    for (const id of ids) this.createdIds.add(id)
    this.lostCreates -= ids.length
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
