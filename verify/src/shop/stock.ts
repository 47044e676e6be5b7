import { randomInt } from 'node:crypto'
import { addTogether, wholeQueries } from './add-together.ts'
import { type Category, findCategory } from './category.ts'
import { Broken, type Pet, petOf, readPet, Skipped, statuses } from './expect.ts'
import { type Exchange, jsonOf } from './exchange.ts'
import { findRichMembers, type RichMembers } from './rich-members.ts'
import type { Shop } from './shop.ts'

/** One more than a page without a limit may have. */
const wantedPets = 21

/** As texts of JSON. An empty text leaves the member out. */
type Members = { name?: string; categoryId?: string; status?: string }

/** The animals that the checks work with, made when the first check needs them. */
export class Stock {
  readonly #shop: Shop
  #filled: Promise<void> | undefined
  #manyAdded: Promise<void> | undefined
  #fewShown: Promise<void> | undefined
  #aPet: Promise<Pet> | undefined
  #aSettledPet: Promise<Pet> | undefined
  /** Creates that were accepted before the last look. */
  #shown = 0
  #category: Promise<Category> | undefined
  #rich: Promise<RichMembers> | undefined
  #names = 0

  constructor(shop: Shop) {
    this.#shop = shop
  }

  /** A name for an animal that this run adds. */
  newName(): string {
    return `${this.#shop.mark}-${++this.#names}`
  }

  /** A category that probably no other animal has. It fits in 32 bits. */
  newCategoryId(): bigint {
    return BigInt(randomInt(1_000_000_000, 2_000_000_000))
  }

  /** The body of a create that follows the contract, with other members in the place of some of its own. */
  async bodyOf(members: Members = {}): Promise<string> {
    const {
      name = JSON.stringify(this.newName()),
      categoryId = String((await this.category()).id),
      status = '"available"',
    } = members
    const all = { name, categoryId, status }
    const parts = Object.entries(all).filter(([, value]) => value !== '')
    return `{${parts.map(([member, value]) => `"${member}":${value}`).join(',')}}`
  }

  /** As above, with a name and a category that need care on their way, if the shop keeps such. */
  async richBodyOf(members: Members = {}): Promise<string> {
    const { ends, categoryId } = await this.#richMembers()
    const name = this.newName()
    const end = ends[this.#names % ends.length] ?? ''
    return this.bodyOf({
      name: JSON.stringify(`${name}${end}`),
      ...(categoryId !== undefined && { categoryId }),
      ...members,
    })
  }

  #richMembers(): Promise<RichMembers> {
    return (this.#rich ??= this.category().then(({ isFree }) =>
      findRichMembers(isFree, {
        newName: () => this.newName(),
        create: async (members) => {
          const made = await this.#shop.create(await this.bodyOf(members))
          await this.#showSmall()
          return made
        },
      }),
    ))
  }

  /** A page of one animal or two, and one that is just full, are still to be pages. */
  async #showSmall(): Promise<void> {
    for (const query of ['', '?limit=1', '?status=sold']) await this.#shop.list(query)
  }

  /**
   * A category for new animals, and whether the shop takes any. The contract does not say whether a category must exist:
   * if the shop refuses a made-up one, that of a listed animal is used. Throws Skipped if none is known.
   */
  category(): Promise<Category> {
    return (this.#category ??= findCategory(this.#shop, this))
  }

  async listed(query = '?limit=100'): Promise<Pet[]> {
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
    await this.#richMembers().catch(whatCannotBeAdded)
    const count = Math.max(4, wantedPets - (await this.listed()).length)
    for (let index = 0; index < count; index++) {
      const status = [...statuses, undefined][index % 4]
      const isAdded = await this.#addRich({ status: status === undefined ? '' : `"${status}"` }).then(
        () => true,
        whatCannotBeAdded,
      )
      if (!isAdded) return
      if (index < 3 || index >= count - 4) await this.#showSmall()
    }
  }

  /**
   * Adds more animals than fit in a page: more than 100 that are sold, more than 20 of the other statuses. They are added
   * together, while others read: the results must fit.
   */
  addMany(): Promise<void> {
    return (this.#manyAdded ??= this.#addMany())
  }

  async #addMany(): Promise<void> {
    if (this.#shop.options.readOnly) return
    await this.showFew()
    await this.#showNow()
    await addTogether(this.#shop, this)
  }

  /** Shows all as long as they fit in a page. */
  showFew(): Promise<void> {
    if (this.#shop.options.readOnly) return Promise.resolve()
    return (this.#fewShown ??= this.#showFew())
  }

  async #showFew(): Promise<void> {
    await this.fill()
    await this.aPet().catch(whatCannotBeAdded)
    await this.showAll()
  }

  /**
   * Lists what was added, when the shop has had its time to show it: the model judges the lists. Done before the shop is
   * filled, as long as all animals fit in a page, and at the end.
   */
  async showAll(): Promise<void> {
    if (this.#shop.acceptedCreates === this.#shown) return
    this.#shown = this.#shop.acceptedCreates
    await this.#shop.settle()
    await this.#showNow()
  }

  /** As the shop is: the model knows which animals must be there by now. */
  async #showNow(): Promise<void> {
    for (const query of ['', ...wholeQueries]) await this.#shop.list(query)
    for (const status of ['', ...statuses.map((one) => `&status=${one}`)]) {
      const { length } = await this.listed(`?limit=100${status}`)
      // A page that is just as long as its limit, and one that could have one animal more.
      if (length > 0 && length < 100)
        for (const limit of [length, length + 1]) await this.#shop.list(`?limit=${limit}${status}`)
    }
  }

  /** One animal for checks that do not change it. */
  aPet(): Promise<Pet> {
    return (this.#aPet ??= this.anyPet())
  }

  /** The same animal when it has had its time to be seen: every request must find it. */
  aSettledPet(): Promise<Pet> {
    return (this.#aSettledPet ??= this.aPet().finally(() => this.showFew()))
  }

  /** Adds an animal that other checks do not touch. */
  async add(members: Members = {}): Promise<{ exchange: Exchange; pet: Pet }> {
    return this.#add(await this.bodyOf(members))
  }

  async #addRich(members?: Members): Promise<{ exchange: Exchange; pet: Pet }> {
    return this.#add(await this.richBodyOf(members))
  }

  async #add(body: string): Promise<{ exchange: Exchange; pet: Pet }> {
    const exchange = await this.#shop.create(body)
    const pet = petOf(exchange)
    if (exchange.response === undefined) throw new Broken(exchange, 'a response')
    if (pet === undefined || exchange.response.status >= 300) throw new Skipped('no animal could be added')
    return { exchange, pet }
  }

  /** An animal of the shop: a new one, or a listed one with --read-only or if none can be added. */
  async anyPet(): Promise<Pet> {
    if (!this.#shop.options.readOnly) {
      const added = await this.#addRich().catch(whatCannotBeAdded)
      if (added !== undefined) return added.pet
    }
    const [pet] = await this.listed()
    if (pet === undefined) throw new Skipped('the shop lists no animal')
    return pet
  }

  /** Whether an animal is as it was: one that this run added, or one that the list still shows so. */
  async isUnchanged({ id, name, categoryId, status }: Pet): Promise<boolean> {
    if (this.#shop.createdIds.has(id)) return true
    const now = (await this.listed()).find((pet) => pet.id === id)
    return now?.name === name && now.categoryId === categoryId && now.status === status
  }
}

function whatCannotBeAdded(error: unknown): undefined {
  if (!(error instanceof Skipped) && !(error instanceof Broken)) throw error
}
