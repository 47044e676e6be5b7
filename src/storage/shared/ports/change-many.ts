import { maxBulk } from '../../../contract/bulk.ts'
import type { Pet } from '../../../contract/pet.ts'
import type { Caller } from '../../../inventory/caller.ts'
import type { Clock } from '../../../inventory/clock.ts'
import { indexCost } from '../../../inventory/name-words.ts'
import { endOf } from '../../../inventory/page.ts'
import type { BulkPlace, ManyFilter, Pets } from '../../../inventory/pets.ts'
import type { Engine } from './engine.ts'

/** Animals per read, as in a list: their names are in memory together. */
const petsPerRead = 100
/** As much as a group of writes may cost: many animals with short names, fewer with long ones. */
const maxCost = maxBulk
/** All names of a call, in characters: each is in an event. */
const maxNameCharacters = 1024 * 1024

interface Parts extends Pick<Pets, 'list' | 'find'> {
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
export function manyChanges({ list, find, write, clock }: Parts): Pets['changeMany'] {
  async function highestId(): Promise<bigint> {
    return (await list({ sort: '-id' }, 1, 0n)).items[0]?.id ?? 0n
  }

  async function readNext(filter: ManyFilter, after: bigint, caller: Caller | undefined): Promise<Candidates> {
    const { ids, ...others } = filter
    if (ids === undefined) {
      const page = await list(others, petsPerRead, after, caller)
      return { pets: page.items, next: endOf(page), isShort: page.more && page.items.length < petsPerRead }
    }
    const wanted = [...new Set(ids)].filter((id) => id > after).toSorted((a, b) => (a < b ? -1 : 1))
    const chosen = wanted.slice(0, petsPerRead)
    const found = await Promise.all(chosen.map(find))
    return {
      pets: found.filter((pet) => pet !== undefined),
      next: wanted.length > petsPerRead ? chosen.at(-1) : undefined,
    }
  }

  /** The ids of the first matching animals, and where the next call goes on. */
  async function collect(filter: ManyFilter, { after, upTo }: BulkPlace, caller: Caller | undefined) {
    const ids: bigint[] = []
    let cost = 0
    let characters = 0
    for (let from: bigint | undefined = after; from !== undefined && from < upTo; ) {
      const { pets, next, isShort }: Candidates = await readNext(filter, from, caller)
      for (const { id, name } of pets) {
        if (id > upTo) return { ids }
        cost += 1 + indexCost(name)
        characters += name.length
        const isFull = cost > maxCost || characters > maxNameCharacters
        if (isFull && ids.length > 0) return { ids, next: { after: ids.at(-1) as bigint, upTo } }
        ids.push(id)
      }
      if (isShort && next !== undefined) return { ids, next: { after: next, upTo } }
      from = next
    }
    return { ids }
  }

  return async ({ filter, change, from, idempotencyKey, author }, caller) => {
    const place = from ?? { after: 0n, upTo: await highestId() }
    const { ids, next } = await collect(filter, place, caller)
    const { ids: _ids, ...stillMatching } = filter
    return write('changePets', {
      ids,
      filter: stillMatching,
      change,
      at: clock(),
      author,
      ...(next && { next }),
      ...(idempotencyKey && { idempotencyKey }),
    })
  }
}
