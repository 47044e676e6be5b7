import { randomInt } from 'node:crypto'
import { type Exchange, jsonOf, type ShopRequest } from './exchange.ts'
import { int64Of, member } from './json.ts'

/** What the requests of a run may have left in the shop, for the cleaning. */
export class Traces {
  /**
   * Part of the name of every animal that this run adds. A letter begins its second word, so that a search for the
   * number of a name, which is a word too, does not find the mark.
   */
  readonly mark = `verify-${randomInt(10 * 36 ** 5, 36 ** 6).toString(36)}`
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
  /** Creates that were answered with 2xx. */
  acceptedCreates = 0
  /** When the last of them was answered, as `performance.now()` says it. */
  lastAcceptedMs = Number.NEGATIVE_INFINITY
  /** The most animals that a list had. A shop may have shorter pages than were asked for. */
  largestPage = 0
  /** How many creates may have added an animal whose id is not known. */
  lostCreates = 0
  /** Where something else may have been added: pets/import, store/orders, categories, keys, invitations, webhooks. */
  readonly others = new Set<string>()

  /** Operations that were answered with 2xx, each as `GET /pets`, to a request with the key. */
  readonly servedOperations = new Set<string>()

  protected rememberRequest(request: ShopRequest): void {
    if (isCreate(request)) this.creates++
    else if (request.method === 'POST' || request.method === 'PUT') this.#rememberOther(request)
  }

  protected rememberResponse(exchange: Exchange): void {
    const { request, response } = exchange
    const isServed = response !== undefined && response.status >= 200 && response.status < 300
    if (isServed && request.authorization !== null) this.#rememberServed(request)
    if (request.method === 'DELETE') this.#rememberDelete(exchange)
    if (isCreate(request)) this.#rememberCreate(exchange)
    else if (/^\/pets(?:\?|$)/.test(request.path)) this.#rememberList(exchange)
  }

  /** As far as the path is one that a document can have. */
  #rememberServed({ method, path }: ShopRequest): void {
    const [room = ''] = path.split('?')
    if (/^(?:\/[\w-]+)+$/.test(room) && /^(?:GET|POST|PUT|PATCH|DELETE)$/.test(method))
      this.servedOperations.add(`${method} ${room.replaceAll(/\/-?\d+(?=\/|$)/g, '/1')}`)
  }

  #rememberOther({ path, body = '' }: ShopRequest): void {
    const [, room = ''] = /^\/(pets\/import|store\/orders|categories|keys|invitations|webhooks)/.exec(path) ?? []
    this.others.add(room)
    // An invitation may have become a key.
    if (room === 'invitations') this.others.add('keys')
    if (room !== 'pets/import') return
    if (path.includes('create-categories')) this.others.add('categories')
    // The response does not say which animals were added.
    const rows = body.split('\n').filter((line) => line.includes(this.mark)).length
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
    if (response !== undefined && response.status < 300) {
      this.acceptedCreates++
      this.lastAcceptedMs = performance.now()
    }
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
    const known = this.createdIds.size
    for (const id of ids) this.createdIds.add(id)
    this.lostCreates -= this.createdIds.size - known
  }
}

function isCreate({ method, path }: ShopRequest): boolean {
  return method === 'POST' && /^\/pets(?:\?|$)/.test(path)
}
