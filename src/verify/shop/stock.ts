import { Broken, type Pet, petOf, readPet, Skipped, statuses } from './expect.ts'
import { type Exchange, jsonOf } from './exchange.ts'
import type { Shop } from './shop.ts'

/** One more than a page without a limit may have. */
const wantedPets = 21

/** The animals that the checks work with. Made when the first check needs them. */
export class Stock {
  readonly #shop: Shop
  #filled: Promise<void> | undefined
  #category: Promise<{ id: bigint; isFree: boolean }> | undefined
  #names = 0

  constructor(shop: Shop) {
    this.#shop = shop
  }

  /** A name for an animal that this run adds. */
  newName(): string {
    return `${this.#shop.mark}-${++this.#names}`
  }

  /** The body of a create that follows the contract, with other members in the place of some of its own. */
  async bodyOf(members: { name?: string; categoryId?: string; status?: string } = {}): Promise<string> {
    const {
      name = JSON.stringify(this.newName()),
      categoryId = String((await this.category()).id),
      status = '"available"',
    } = members
    const all = { name, categoryId, status }
    const parts = Object.entries(all).filter(([, value]) => value !== '')
    return `{${parts.map(([member, value]) => `"${member}":${value}`).join(',')}}`
  }

  /**
   * A category for new animals, and whether the shop takes any. The contract does not say whether a category must exist:
   * if the shop refuses a made-up one, that of a listed animal is used.
   */
  category(): Promise<{ id: bigint; isFree: boolean }> {
    return (this.#category ??= this.#findCategory())
  }

  async #findCategory(): Promise<{ id: bigint; isFree: boolean }> {
    const { markCategory } = this.#shop
    if (this.#shop.options.readOnly) return { id: markCategory, isFree: false }
    const made = await this.#shop.create(`{"name":"${this.newName()}","categoryId":${markCategory}}`)
    if (made.response?.status !== 400) return { id: markCategory, isFree: true }
    const [pet] = await this.#listed()
    return { id: pet?.categoryId ?? 1n, isFree: false }
  }

  async #listed(query = '?limit=100'): Promise<Pet[]> {
    const { response } = await this.#shop.list(query)
    const list = response?.status === 200 ? jsonOf(response) : undefined
    return Array.isArray(list) ? list.map(readPet).filter((pet) => pet !== undefined) : []
  }

  /** Adds animals of every status, so that a wrong filter or limit shows. With --read-only, what is there must do. */
  fill(): Promise<void> {
    return (this.#filled ??= this.#fill())
  }

  async #fill(): Promise<void> {
    if (this.#shop.options.readOnly) return
    const count = Math.max(4, wantedPets - (await this.#listed()).length)
    for (let index = 0; index < count; index++) {
      const status = [...statuses, undefined][index % 4]
      const made = await this.#shop.create(await this.bodyOf({ status: status === undefined ? '' : `"${status}"` }))
      if (made.response === undefined || made.response.status >= 300) return
    }
  }

  /** Adds an animal that other checks do not touch. */
  async add(members: Parameters<Stock['bodyOf']>[0] = {}): Promise<{ exchange: Exchange; pet: Pet }> {
    const exchange = await this.#shop.create(await this.bodyOf(members))
    const pet = petOf(exchange)
    if (exchange.response === undefined) throw new Broken(exchange, 'a response')
    if (pet === undefined || exchange.response.status >= 300) throw new Skipped('no animal could be added')
    return { exchange, pet }
  }

  /** An animal of the shop: a new one, or a listed one with --read-only or if none can be added. */
  async anyPet(): Promise<Pet> {
    if (!this.#shop.options.readOnly) {
      const pet = await this.add().catch((error: unknown) => {
        if (error instanceof Skipped || error instanceof Broken) return undefined
        throw error
      })
      if (pet !== undefined) return pet.pet
    }
    const [pet] = await this.#listed()
    if (pet === undefined) throw new Skipped('the shop lists no animal')
    return pet
  }
}
