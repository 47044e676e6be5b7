import { brief, type Exchange } from '../shop/exchange.ts'
import type { Pet } from '../shop/expect.ts'
import type { Contradiction, Verdicts } from './verdicts.ts'

/** A list without a next page. It has all animals if it is shorter than a page can be. */
export interface Page {
  exchange: Exchange
  status: string | undefined
  limit: number | undefined
  ids: ReadonlySet<bigint>
  length: number
  /** How many animals more it could have. The page with most room is the likeliest to be known to have all. */
  room: number
}

interface Unlisted {
  pet: Pet
  sinceMs: number
  /** It was sent when the animal had had its time to be seen, and does not have it. */
  missedBy?: Page
  /** Those before, after each of which the animal was found again. */
  earlier: readonly Page[]
}

/** Others may remove an animal and give its id to another one, while a list shows neither. They hardly do so often. */
const minMisses = 3

/** Animals that the run has not added, found by their ids and in no list of all animals. */
export class UnlistedAnimals {
  readonly #verdicts: Verdicts
  readonly #settleMs: number
  readonly #animals = new Map<bigint, Unlisted>()
  readonly #contradictions: { id: bigint; pages: readonly Page[]; contradiction: Contradiction }[] = []
  /** The smallest and the largest id of all lists, and 0. */
  readonly #ids = { smallest: 0n, largest: 0n }

  constructor(verdicts: Verdicts, settleMs: number) {
    this.#verdicts = verdicts
    this.#settleMs = settleMs
  }

  /** Lists must have it as long as it is there. */
  found(pet: Pet, exchange: Exchange): void {
    const { id, name, categoryId } = pet
    const known = this.#animals.get(id)
    const isSame = known?.pet.name === name && known.pet.categoryId === categoryId
    const sinceMs = exchange.gotMs ?? 0
    if (known === undefined || !isSame) return void this.#animals.set(id, { pet, sinceMs, earlier: [] })
    const { missedBy, earlier } = known
    if (missedBy === undefined) return
    const pages = [...earlier, missedBy].slice(-minMisses)
    this.#animals.set(id, { pet, sinceMs, earlier: pages })
    if (pages.length < minMisses) return
    const expected = `the status 404: a list of all animals has no animal ${id}`
    const contradiction = { exchange: brief(exchange), expected, earlier: missedBy.exchange }
    this.#contradictions.push({ id, pages, contradiction })
  }

  /** Its id may come again, as that of another animal. */
  notFound(id: bigint): void {
    this.#animals.delete(id)
  }

  /** A list of all animals, if it is long enough for them. */
  listed(page: Page): void {
    for (const id of page.ids) {
      this.#animals.delete(id)
      if (id < this.#ids.smallest) this.#ids.smallest = id
      if (id > this.#ids.largest) this.#ids.largest = id
    }
    for (const animal of this.#animals.values()) {
      const isDue = animal.sinceMs + this.#settleMs <= (page.exchange.sentMs ?? 0)
      if (isDue && (animal.missedBy === undefined || page.room > animal.missedBy.room)) animal.missedBy = page
    }
  }

  /** The run is over. An id that the shop has given may be that of an animal that left the lists long ago. */
  finish(isComplete: (page: Page) => boolean): void {
    const { smallest, largest } = this.#ids
    for (const { id, pages, contradiction } of this.#contradictions) {
      const isGiven = id !== 0n && smallest <= id && id <= largest
      if (!isGiven && pages.every(isComplete)) this.#verdicts.judge('C-4.3-3', contradiction)
    }
  }
}
