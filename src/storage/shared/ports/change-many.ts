import { maxBulk } from '../../../contract/bulk.ts'
import type { Pet } from '../../../contract/pet.ts'
import type { Caller } from '../../../inventory/caller.ts'
import type { Clock } from '../../../inventory/clock.ts'
import { highestId } from '../../../inventory/highest-id.ts'
import { indexCost } from '../../../inventory/name-words.ts'
import { endOf } from '../../../inventory/page.ts'
import type { BulkRange, ManyFilter, Pets } from '../../../inventory/pets.ts'
import type { Engine } from './engine.ts'

/** Animals per read, as in a list: their names are in memory together. */
export const petsPerRead = 100
/** As much as a group of writes may cost: many animals with short names, fewer with long ones. */
const maxCost = maxBulk
/** Characters of a name that cost as much as an animal with a short one: each is in an event. */
const charactersPerCost = 1024

interface Parts extends Pick<Pets, 'list'> {
  /** The animals with these ids that exist and can be read, in any order. */
  findAll(ids: readonly bigint[], caller?: Caller): Promise<readonly Pet[]>
  write: Engine['write']
  clock: Clock
}

/** What a read has found, ascending, and after which id the next one goes on. */
interface Candidates {
  pets: readonly Pet[]
  next: bigint | undefined
  /** A search that ended early has cost enough. */
  isShort?: boolean
}

/**
 * Changes many animals in one transaction. They are found before it, by reads of a bounded size; the rule looks at each
 * again in the transaction. A transaction costs as much as a group of writes may.
 */
export function manyChanges({ list, findAll, write, clock }: Parts): Pets['changeMany'] {
  async function readNext(filter: ManyFilter, after: bigint, caller: Caller | undefined): Promise<Candidates> {
    const { ids, ...others } = filter
    if (ids === undefined) {
      const page = await list(others, petsPerRead, after, caller)
      return { pets: page.items, next: endOf(page), isShort: page.more && page.items.length < petsPerRead }
    }
    const start = ids.findIndex((id) => id > after)
    const chosen = start === -1 ? [] : ids.slice(start, start + petsPerRead)
    const found = await findAll(chosen, caller)
    return {
      pets: found.toSorted(byId),
      next: chosen.at(-1) === ids.at(-1) ? undefined : chosen.at(-1),
    }
  }

  /** The ids of the first matching animals, and where the next call goes on. */
  async function collect(filter: ManyFilter, { after, upTo }: BulkRange, caller: Caller | undefined) {
    const ids: bigint[] = []
    let cost = 0
    for (let from: bigint | undefined = after; from !== undefined && from < upTo; ) {
      const { pets, next, isShort }: Candidates = await readNext(filter, from, caller)
      for (const { id, name } of pets) {
        if (id > upTo) return { ids, cost }
        const total = cost + costOf(name)
        if (total > maxCost && ids.length > 0) return { ids, cost, next: { after: ids.at(-1) as bigint, upTo } }
        cost = total
        ids.push(id)
      }
      if (isShort && next !== undefined) return { ids, cost, next: { after: next, upTo } }
      from = next
    }
    return { ids, cost }
  }

  return async ({ filter, change, from, idempotencyKey, author }, caller) => {
    const range = from ?? { after: 0n, upTo: await highestId(list) }
    const { ids: chosen, ...stillMatching } = filter
    const sorted = chosen && { ids: [...new Set(chosen)].toSorted(ascending) }
    const { ids, cost, next } = await collect({ ...stillMatching, ...sorted }, range, caller)
    return write('changePets', {
      ids,
      cost,
      filter: stillMatching,
      change,
      at: clock(),
      author,
      ...(next && { next }),
      idempotencyKey,
    })
  }
}

/** As a multiple of the change of an animal with a short name. */
export function costOf(name: string): number {
  return 1 + Math.max(indexCost(name), Math.floor(name.length / charactersPerCost))
}

function byId(one: Pet, other: Pet): number {
  return ascending(one.id, other.id)
}

function ascending(one: bigint, other: bigint): number {
  return one < other ? -1 : 1
}
