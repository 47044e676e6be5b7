import type { Exchange } from '../shop/exchange.ts'
import type { Pet } from '../shop/expect.ts'

/** Animals that the run has not added. Others may add, change and remove theirs at any time. */
export class Strangers {
  readonly #shown = new Map<bigint, { pet: Pet; first: Exchange }>()
  #isAnyGone = false

  /** Whether others have removed one of theirs during the run. Then a shop may give its id to another animal. */
  get isAnyGone(): boolean {
    return this.#isAnyGone
  }

  has(id: bigint): boolean {
    return this.#shown.has(id)
  }

  /** The response that showed it first, if that was there before the other was sent. */
  before(id: bigint, { sentMs = 0 }: Exchange): Exchange | undefined {
    const first = this.#shown.get(id)?.first
    return first !== undefined && (first.gotMs ?? 0) <= sentMs ? first : undefined
  }

  see(pet: Pet, exchange: Exchange): void {
    const known = this.#shown.get(pet.id)
    if (known === undefined) this.#shown.set(pet.id, { pet, first: exchange })
    // Others may also have a way to rename an animal.
    else if (known.pet.name !== pet.name || known.pet.categoryId !== pet.categoryId) this.#isAnyGone = true
  }

  /** The id is that of an animal of the run by now. */
  drop(id: bigint): void {
    this.#shown.delete(id)
  }

  /** A response says that there is no such animal, or does not have it among all. */
  miss(id: bigint, exchange: Exchange): void {
    if (this.before(id, exchange) !== undefined) this.#isAnyGone = true
  }

  /** Those that responses before this one have shown, and that are not among these. */
  missingIn(ids: ReadonlySet<bigint | undefined>, exchange: Exchange): bigint[] {
    return [...this.#shown.keys()].filter((id) => !ids.has(id) && this.before(id, exchange) !== undefined)
  }
}
