import { brief, type Exchange, jsonOf } from '../shop/exchange.ts'
import { type Pet, statuses } from '../shop/expect.ts'
import { int64Of, member } from '../shop/json.ts'
import { type Added, type Animals, show } from './animals.ts'
import type { Operation } from './operation.ts'
import { type Page, UnlistedAnimals } from './unlisted.ts'
import type { Contradiction, Verdicts } from './verdicts.ts'

type List = Extract<Operation, { kind: 'list' }>

interface Suspicion {
  rule: string
  page: Page
  /** What is wrong if the page has all animals. */
  contradiction: Contradiction | undefined
}

const defaultLimit = 20
const limitRules: Record<number, string> = { 1: 'C-4.1-3', 7: 'C-4.1-4', 100: 'C-4.1-5' }

/** Judges what is in a list: no more than asked for, nothing of another status, nothing missing that must be there. */
export class Lists {
  readonly #verdicts: Verdicts
  readonly #animals: Animals
  readonly #settleMs: number
  /** The most animals of a page, of those with a limit and those without: a shop may have shorter pages than asked for. */
  readonly #largest = { limited: 0, unlimited: 0 }

  readonly #suspicions: Suspicion[] = []
  readonly #unlisted: UnlistedAnimals
  /** Animals that the run has not added and that a list does not have, with the page that has most room. */
  readonly #missing = new Map<bigint, Page>()
  /** The most animals that are known to be there, by status. */
  readonly #longest = new Map<string | undefined, number>()

  constructor(animals: Animals, verdicts: Verdicts, settleMs: number) {
    this.#animals = animals
    this.#verdicts = verdicts
    this.#settleMs = settleMs
    this.#unlisted = new UnlistedAnimals(verdicts, settleMs)
  }

  judge(list: List, exchange: Exchange): void {
    const pets = exchange.response?.status === 200 ? jsonOf(exchange.response) : undefined
    if (list.isPlain)
      this.#verdicts.judge(
        'C-4.1-2',
        !Array.isArray(pets) && { exchange, expected: 'the status 200 and a body that is a JSON array' },
      )
    if (!Array.isArray(pets)) return
    const { limit, status } = list
    const mostAllowed = limit ?? defaultLimit
    const page = limit === undefined ? 'unlimited' : 'limited'
    // Of an impossible limit a shop may make what it likes.
    if (list.isPlain) this.#largest[page] = Math.max(this.#largest[page], Math.min(pets.length, mostAllowed))
    const matching = [...this.#animals.added.values()].filter(
      ({ pet }) => status === undefined || pet.status === status,
    )
    const known = Math.max(matching.length, this.#longest.get(status) ?? 0, pets.length)
    this.#longest.set(status, known)
    // A list that could not have been too long says nothing.
    if (list.isPlain && known > mostAllowed)
      this.#verdicts.judge(
        limit === undefined ? 'C-4.1-1' : status !== undefined ? 'C-4.1-9' : (limitRules[limit] ?? 'C-4.1-12'),
        pets.length > mostAllowed && {
          exchange,
          expected: `at most ${mostAllowed} animals`,
          came: `${pets.length} animals`,
        },
      )
    if (status !== undefined && (matching.length < this.#animals.added.size || pets.length > 0))
      this.#verdicts.judge(
        `C-4.1-${6 + (statuses as readonly string[]).indexOf(status)}`,
        pets.some((pet) => member(pet, 'status') !== status) && {
          exchange,
          expected: `only animals with the status ${status}`,
        },
      )
    if (!list.isPlain || hasNext(exchange)) return
    const ids = new Set(pets.map((pet) => int64Of(member(pet, 'id'))).filter((id) => id !== undefined))
    const { length } = pets
    const whole = { exchange: brief(exchange), status, limit, ids, length, room: mostAllowed - length }
    this.#rememberMissing(whole, matching)
    if (status !== undefined) return
    this.#unlisted.listed(whole)
    for (const id of this.#animals.strangers.missingIn(ids, exchange))
      if (whole.room > (this.#missing.get(id)?.room ?? -1)) this.#missing.set(id, whole)
  }

  /** An animal that the run has not added was found by its id. */
  found(pet: Pet, exchange: Exchange): void {
    this.#unlisted.found(pet, exchange)
  }

  notFound(id: bigint): void {
    this.#unlisted.notFound(id)
  }

  /** Whether a page was complete is known at the end, when the longest page was seen. */
  #rememberMissing(page: Page, matching: readonly Added[]): void {
    const { exchange, status, length, ids } = page
    const due = matching.filter(({ atMs }) => atMs + this.#settleMs <= (exchange.sentMs ?? 0))
    if (due.length === 0) return
    const missing = due.find(({ pet }) => !ids.has(pet.id))
    this.#suspicions.push({
      rule: status === undefined ? 'C-4.1-10' : 'C-9-2',
      page,
      contradiction: missing && {
        exchange,
        expected: `the animal ${show(missing.pet)} in the list`,
        came: `${length} animals without it`,
        earlier: missing.made,
      },
    })
  }

  /** The run is over. A page that is shorter than a page can be has all animals that there are. */
  finish(): void {
    const isComplete = ({ limit, length }: Page) => {
      const full = limit === undefined ? this.#largest.unlimited : Math.min(limit, this.#largest.limited)
      return length === 0 || length < full
    }
    for (const [id, page] of this.#missing) if (isComplete(page)) this.#animals.strangers.miss(id, page.exchange)
    const sure = this.#suspicions.filter(({ page }) => isComplete(page))
    for (const { rule, contradiction } of sure) this.#verdicts.judge(rule, contradiction)
    // If lists lack what was added, another animal that they lack may be there as well.
    if (sure.every(({ contradiction }) => contradiction === undefined)) this.#unlisted.finish(isComplete)
  }
}

/** Whether the shop says in whatever form that there is a next page. */
function hasNext({ response }: Exchange): boolean {
  const links = (response?.headers ?? []).filter(([name]) => name === 'link')
  return links.some(([, value]) => /\brel\s*=.*\bnext\b/i.test(value))
}
