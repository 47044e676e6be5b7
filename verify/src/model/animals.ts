import { differenceOf } from '../shop/difference.ts'
import { brief, type Exchange, jsonOf } from '../shop/exchange.ts'
import { type Pet, readPet } from '../shop/expect.ts'
import type { SentPet } from './new-pet.ts'
import { Strangers } from './strangers.ts'
import type { Contradiction, Verdicts } from './verdicts.ts'

/** An animal that this run added, as its 201 has it. */
export interface Added {
  pet: Pet
  made: Exchange
  /** When its 201 was there, as `performance.now()` says it. */
  atMs: number
}

interface Create {
  sent: SentPet
  made: Exchange
  /** Open: there was no response, or one that does not say whether the animal was added. */
  outcome: 'added' | 'refused' | 'open'
}

interface Marks {
  mark: string
  markCategory: bigint
}

/** Every create of the run, and every animal that the shop has shown. */
export class Animals {
  readonly #verdicts: Verdicts
  readonly #marks: Marks
  readonly #creates: Create[] = []
  readonly #added = new Map<bigint, Added>()
  readonly strangers = new Strangers()
  /** Animals with a mark of this run that no 201 has named yet. */
  readonly #unexplained = new Map<bigint, { pet: Pet; seen: Exchange }>()
  /** Ids that the run has used and of which it knows nothing more. */
  readonly #forgotten = new Set<bigint>()
  readonly #categories = new Set<bigint>()
  /** Creates that gave the id of an animal of others, unless these had removed it. */
  readonly #takenIds: Contradiction[] = []
  #isOpen = false

  constructor(marks: Marks, verdicts: Verdicts) {
    this.#marks = marks
    this.#verdicts = verdicts
  }

  /** The animals that are known to be in the shop, unless it has lost them. */
  get added(): ReadonlyMap<bigint, Added> {
    return this.#added
  }

  get hasAdded(): boolean {
    return this.#creates.some(({ outcome }) => outcome === 'added')
  }

  /** Whether the shop has taken a category, and must take it again. */
  hasTaken(categoryId: bigint | undefined): boolean {
    return categoryId !== undefined && this.#categories.has(categoryId)
  }

  /** A request may have changed or removed an animal, or any: the contract has none that does. */
  forget(id?: bigint): void {
    if (id === undefined) this.#isOpen = true
    for (const one of id === undefined ? [...this.#added.keys()] : [id]) {
      this.#added.delete(one)
      this.#forgotten.add(one)
    }
  }

  /** An animal was removed: its id may come again. */
  removed(id: bigint): void {
    this.#added.delete(id)
    this.#forgotten.add(id)
  }

  /** The response to a create. */
  create(exchange: Exchange, sent: SentPet, atMs: number): void {
    const { response } = exchange
    const status = response?.status ?? 0
    const isAdded = status >= 200 && status < 300
    const isRefused = status >= 400 && status < 500
    const made = brief(exchange)
    this.#creates.push({ sent, made, outcome: isAdded ? 'added' : isRefused ? 'refused' : 'open' })
    if (!isAdded || response === undefined) return
    const pet = readPet(jsonOf(response))
    if (sent.categoryId !== undefined) this.#categories.add(sent.categoryId)
    this.#verdicts.judge('C-4.2-2', differenceFromSent(pet, sent, made))
    if (pet === undefined) return
    const earlier = this.#added.get(pet.id)?.made
    const other = earlier ?? this.strangers.before(pet.id, exchange)
    this.strangers.drop(pet.id)
    const came = `the id ${pet.id} of another animal`
    const twice = other && { exchange: made, expected: 'an id of its own', came, earlier: other }
    if (twice !== undefined && earlier === undefined) this.#takenIds.push(twice)
    else this.#verdicts.judge('C-2-4', twice)
    const seen = this.#unexplained.get(pet.id)
    this.#unexplained.delete(pet.id)
    if (other !== undefined) return this.forget(pet.id)
    if (this.#forgotten.has(pet.id)) return
    this.#added.set(pet.id, { pet, made, atMs })
    if (seen !== undefined) this.#expectSame('C-2-12', seen.seen, seen.pet)
  }

  /** An animal in a list or by its id. */
  see(pets: readonly Pet[], exchange: Exchange, rule: 'C-2-12' | 'C-4.3-2'): void {
    let seen: Exchange | undefined
    for (const pet of pets) {
      if (this.#added.has(pet.id)) this.#expectSame(rule, exchange, pet)
      else if (!this.#forgotten.has(pet.id)) {
        seen ??= brief(exchange)
        if (!this.#isMarked(pet)) this.strangers.see(pet, seen)
        else if (!this.strangers.has(pet.id)) this.#unexplained.set(pet.id, { pet, seen })
      }
    }
  }

  #isMarked({ name, categoryId }: Pet): boolean {
    const { mark, markCategory } = this.#marks
    return name.toLowerCase().includes(mark) || categoryId === markCategory
  }

  #expectSame(rule: string, exchange: Exchange, pet: Pet): void {
    const { pet: first, made } = this.#added.get(pet.id) as Added
    const isSame = pet.name === first.name && pet.categoryId === first.categoryId && pet.status === first.status
    this.#verdicts.judge(
      rule,
      !isSame && {
        exchange,
        expected: `the animal ${show(first)}, as in its 201`,
        came: cameOf(pet, first),
        earlier: made,
      },
    )
  }

  /** The run is over: no 201 is to come that could explain an animal. */
  finish(): void {
    const hasRefused = this.#creates.some(({ outcome }) => outcome === 'refused')
    for (const one of this.#takenIds) this.#verdicts.judge('C-2-4', !this.strangers.isAnyGone && one)
    if (hasRefused) this.#verdicts.judge('C-4.2-15', undefined)
    if (this.hasAdded) this.#verdicts.judge('C-4.2-16', undefined)
    if (this.#isOpen) return
    for (const { pet, seen } of this.#unexplained.values()) {
      const same = this.#creates.filter(({ sent }) => sent.name === pet.name)
      const nameless = this.#creates.filter(({ sent }) => sent.name === undefined)
      const origins = same.length > 0 ? same : nameless
      if (origins.some(({ outcome }) => outcome === 'open')) continue
      const refused = origins.find(({ outcome }) => outcome === 'refused')
      const added = same.find(({ outcome }) => outcome === 'added')
      this.#verdicts.judge(refused !== undefined && added === undefined ? 'C-4.2-15' : 'C-4.2-16', {
        exchange: seen,
        expected: added === undefined ? 'no animal of a create that was refused' : 'the animal once, as it was added',
        came: `the animal ${show(pet)}`,
        earlier: (added ?? refused)?.made,
      })
    }
  }
}

function cameOf(pet: Pet, first: Pet): string {
  const difference = differenceOf(first.name, pet.name)
  return difference === undefined ? show(pet) : `${difference}; ${show(pet)}`
}

export function show({ id, name, categoryId, status }: Pet): string {
  const shown = name.length > 80 ? `${name.slice(0, 80)}… (${name.length} characters)` : name
  return `${id} ${JSON.stringify(shown)}, category ${categoryId}, ${status ?? 'no status'}`
}

function differenceFromSent(pet: Pet | undefined, sent: SentPet, exchange: Exchange) {
  if (pet === undefined)
    return {
      exchange,
      expected: 'a body with an id (int64), a name (string), a categoryId (int64), and a status of the three, if any',
    }
  const wanted = [
    sent.name !== undefined && pet.name !== sent.name && `the name ${JSON.stringify(sent.name)}`,
    sent.categoryId !== undefined && pet.categoryId !== sent.categoryId && `the categoryId ${sent.categoryId}`,
    sent.status !== undefined && pet.status !== sent.status && `the status ${sent.status}`,
  ].filter((one) => one !== false)
  const came = sent.name === undefined ? undefined : differenceOf(sent.name, pet.name)
  return wanted.length > 0 && { exchange, expected: wanted.join(', '), ...(came !== undefined && { came }) }
}
