import { brief, type Exchange, headerOf, jsonOf } from '../shop/exchange.ts'
import { statuses } from '../shop/expect.ts'
import { int64Of, member } from '../shop/json.ts'
import { type Added, type Animals, show } from './animals.ts'
import type { Operation } from './operation.ts'
import type { Contradiction, Verdicts } from './verdicts.ts'

type List = Extract<Operation, { kind: 'list' }>

/** A list without a next page. It has all animals if it is shorter than a page can be. */
interface Page {
  exchange: Exchange
  status: string | undefined
  limit: number | undefined
  length: number
  ids: ReadonlySet<bigint | undefined>
}

/** What is wrong if a page has all animals. */
interface Suspicion {
  rule: string
  page: Pick<Page, 'limit' | 'length'>
  contradiction: Contradiction | undefined
}

interface Unlisted {
  sinceMs: number
  /** It was sent when the animal had had its time to be seen, and does not have it. */
  missedBy?: Pick<Page, 'exchange' | 'limit' | 'length'>
}

const defaultLimit = 20
/** A list of all animals does not have an animal that is found by its id. */
const foundRule = 'C-4.3-3'
const limitRules: Record<number, string> = { 1: 'C-4.1-3', 7: 'C-4.1-4', 100: 'C-4.1-5' }

/** Judges what is in a list: no more than asked for, nothing of another status, nothing missing that must be there. */
export class Lists {
  readonly #verdicts: Verdicts
  readonly #animals: Animals
  readonly #settleMs: number
  /** The most animals of a page, of those with a limit and those without: a shop may have shorter pages than asked for. */
  readonly #largest = { limited: 0, unlimited: 0 }

  readonly #suspicions: Suspicion[] = []
  /** Animals that the run has not added, found by their ids and in no list yet. */
  readonly #unlisted = new Map<bigint, Unlisted>()
  /** The most animals that are known to be there, by status. */
  readonly #longest = new Map<string | undefined, number>()

  constructor(animals: Animals, verdicts: Verdicts, settleMs: number) {
    this.#animals = animals
    this.#verdicts = verdicts
    this.#settleMs = settleMs
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
    const ids = new Set(pets.map((pet) => int64Of(member(pet, 'id'))))
    const whole = { exchange, status, limit, length: pets.length, ids }
    this.#rememberMissing(whole, matching)
    if (status === undefined) this.#rememberUnlisted(whole)
  }

  /** An animal that the run has not added was found by its id. Lists must have it as long as it is there. */
  found(id: bigint, exchange: Exchange): void {
    const known = this.#unlisted.get(id)
    if (known === undefined) return void this.#unlisted.set(id, { sinceMs: exchange.gotMs ?? 0 })
    if (known.missedBy === undefined) return
    const { exchange: earlier, ...page } = known.missedBy
    const expected = `the status 404: a list of all animals has no animal ${id}`
    this.#suspicions.push({ rule: foundRule, page, contradiction: { exchange: brief(exchange), expected, earlier } })
  }

  #rememberUnlisted({ exchange, limit, length, ids }: Page): void {
    for (const [id, one] of this.#unlisted) {
      if (ids.has(id)) this.#unlisted.delete(id)
      else if (one.sinceMs + this.#settleMs <= (exchange.sentMs ?? 0)) {
        const isBetter = one.missedBy === undefined || roomOf({ limit, length }) > roomOf(one.missedBy)
        if (isBetter) one.missedBy = { exchange: brief(exchange), limit, length }
      }
    }
  }

  /** Whether a page was complete is known at the end, when the longest page was seen. */
  #rememberMissing({ exchange, status, limit, length, ids }: Page, matching: readonly Added[]): void {
    const due = matching.filter(({ atMs }) => atMs + this.#settleMs <= (exchange.sentMs ?? 0))
    if (due.length === 0) return
    const missing = due.find(({ pet }) => !ids.has(pet.id))
    this.#suspicions.push({
      rule: status === undefined ? 'C-4.1-10' : 'C-9-2',
      page: { limit, length },
      contradiction: missing && {
        exchange: brief(exchange),
        expected: `the animal ${show(missing.pet)} in the list`,
        came: `${length} animals without it`,
        earlier: missing.made,
      },
    })
  }

  /** The run is over. A page that is shorter than a page can be has all animals that there are. */
  finish(): void {
    const sure = this.#suspicions.filter(({ page: { limit, length } }) => {
      const full = limit === undefined ? this.#largest.unlimited : Math.min(limit, this.#largest.limited)
      return length === 0 || length < full
    })
    // If lists lack what was added, another animal that they lack may be there as well.
    const isListWrong = sure.some(({ rule, contradiction }) => rule !== foundRule && contradiction !== undefined)
    for (const { rule, contradiction } of sure)
      if (rule !== foundRule || !isListWrong) this.#verdicts.judge(rule, contradiction)
  }
}

/** How many animals more it could have. The page with most room is the likeliest to be known to have all. */
function roomOf({ limit = defaultLimit, length }: Pick<Page, 'limit' | 'length'>): number {
  return limit - length
}

function hasNext({ response }: Exchange): boolean {
  return /rel="?next/i.test((response && headerOf(response, 'link')) ?? '')
}
