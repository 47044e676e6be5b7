import { maxListedRefusals } from '../../contract/bulk.ts'
import type { Pet } from '../../contract/pet.ts'
import type { IdempotencyKey } from '../idempotency-key.ts'
import { hasWords, searchWords } from '../name-words.ts'
import type { BulkDone, BulkOutcome, BulkRange, ManyFilter, PetsChange } from '../pets.ts'
import type { Change } from './change.ts'
import { changed, type Decision, unchanged } from './decision.ts'
import type { Facts } from './facts.ts'
import { replayOf, storeResponse } from './idempotency.ts'
import { removePet } from './remove-pet.ts'
import { updatePet } from './update-pet.ts'

export interface ChangePets {
  /** The animals that matched a moment ago, no id twice. */
  ids: readonly bigint[]
  /** As a multiple of the change of an animal with a short name. */
  cost: number
  /** What they still have to match. */
  filter: ManyFilter
  change: PetsChange
  /** Where the next call goes on. */
  next?: BulkRange
  idempotencyKey?: IdempotencyKey | undefined
  at: number
  author?: string | undefined
}

/** Many animals are changed by the rules of one; what refuses one of them does not refuse the others. */
export function changePets(facts: Facts, command: ChangePets): Decision<BulkOutcome> {
  const earlier = replayOf(facts, command, (body) => ({ outcome: 'replayed' as const, done: decode(body) }))
  if (earlier !== undefined) return unchanged(earlier)

  const { ids, filter, change, next, at, author } = command
  const words = filter.name === undefined ? undefined : searchWords(filter.name)
  const done: BulkDone = { changed: 0, unchanged: 0, refused: 0, ordered: [], ...(next && { next }) }
  const changes: Change[] = []
  for (const id of ids) {
    const pet = facts.find('pets', id)
    if (pet === undefined || !isMatch(pet, filter, words)) continue
    const decision =
      change === 'delete' ? removePet(facts, { id, at, author }) : updatePet(facts, { id, change, at, author })
    if (decision.outcome.outcome === 'ordered') {
      done.refused++
      if (done.ordered.length < maxListedRefusals) done.ordered.push(id)
    } else if (decision.changes.length === 0) done.unchanged++
    else done.changed++
    changes.push(...decision.changes)
  }
  return changed({ outcome: 'done', done }, [...changes, ...storeResponse(command, () => encode(done))])
}

function isMatch(pet: Pet, filter: ManyFilter, words: readonly string[] | undefined): boolean {
  const { status, categoryId, name: _words, ids: _chosen, ...others } = filter
  // The compiler refuses a filter that is not compared here.
  others satisfies Record<string, never>
  return (
    (status === undefined || pet.status === status) &&
    (categoryId === undefined || pet.categoryId === categoryId) &&
    (words === undefined || hasWords(pet.name, words))
  )
}

/** As it is stored with the idempotency key. */
function encode({ ordered, next, ...counts }: BulkDone): string {
  const range = next && { after: String(next.after), upTo: String(next.upTo) }
  return JSON.stringify({ ...counts, ordered: ordered.map(String), next: range })
}

function decode(body: string): BulkDone {
  const { ordered, next, ...counts } = JSON.parse(body) as Record<'changed' | 'unchanged' | 'refused', number> & {
    ordered: string[]
    next?: Record<'after' | 'upTo', string>
  }
  return {
    ...counts,
    ordered: ordered.map(BigInt),
    ...(next && { next: { after: BigInt(next.after), upTo: BigInt(next.upTo) } }),
  }
}
