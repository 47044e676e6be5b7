import type { DatabaseSync } from 'node:sqlite'
import type { IdSort } from '../../../contract/parameters.ts'
import { isByName, type Pet } from '../../../contract/pet.ts'
import type { Caller } from '../../../inventory/caller.ts'
import { searchWords } from '../../../inventory/name-words.ts'
import type { Page } from '../../../inventory/page.ts'
import {
  canCount,
  type CountedFilter,
  type PetFilter,
  type PetPage,
  type PetQuery,
  type Pets,
} from '../../../inventory/pets.ts'
import type { Clock } from '../../../inventory/clock.ts'
import { syncReadsOf, readsOf } from '../connection/database.ts'
import { hasId, hasName, ifMatching, memberFilterOf } from '../../shared/reads/filters.ts'
import { withChosen } from '../../shared/reads/list-chosen.ts'
import { toFoundPage } from '../../shared/reads/find-by-name.ts'
import { toPage } from '../../shared/reads/page.ts'
import { pageOfOne } from '../../shared/reads/page-of-one.ts'
import { readWithin, type Sized } from '../../shared/reads/sized-read.ts'
import { searchInOrderOf, toPageInOrder } from '../../shared/reads/sorted-search.ts'
import { type PetRow, toPet } from '../../shared/rows/pet-row.ts'
import { decodeReadable } from '../../shared/rows/unreadable-row.ts'
import { sqliteInventory } from './inventory.ts'
import type { HoldState } from '../reads/held-states.ts'
import { petReadsOn } from '../reads/pet-reads.ts'
import { isWhole } from '../reads/whole-pets.ts'
import { sqlitePetsByName } from '../reads/pets-by-name.ts'
import type { Searcher } from '../reads/searcher.ts'
import type { ReadAtEndOfTick } from '../reads/shared-snapshot.ts'
import type { Engine } from '../../shared/ports/engine.ts'
import { manyChanges } from '../../shared/ports/change-many.ts'
import { petWrites } from '../../shared/ports/pet-writes.ts'
import type { Writer } from '../writes/writer.ts'

export interface PetReadParts {
  reader: DatabaseSync
  searcher: Searcher
  readAtEndOfTick: ReadAtEndOfTick
  hold: HoldState
}

export interface PetsParts extends PetReadParts {
  writer: Writer
  clock: Clock
}

export function sqlitePets({ writer, clock, ...parts }: PetsParts): Pets {
  const { list, findAll, ...reads } = sqlitePetReads(parts)
  const writing = { write: writer.write as Engine['write'], clock }
  return { list, ...reads, ...petWrites(writing), changeMany: manyChanges({ list, findAll, ...writing }) }
}

type PetReadPorts = Pick<Pets, 'list' | 'count' | 'find' | 'inventory' | 'inventoryById' | 'inventoryOf'>

export function sqlitePetReads({ reader, searcher, readAtEndOfTick, hold }: PetReadParts): PetReadPorts & {
  findAll(ids: readonly bigint[], caller?: Caller): Promise<Pet[]>
} {
  const read = syncReadsOf(reader)
  const reads = petReadsOn(reader)
  const atOnce = <Result>(work: () => Result | Promise<Result>) => readAtEndOfTick(() => read(work))

  async function search(query: PetFilter & { name: string }, sort: IdSort, from: PageStart): Promise<Page<Pet>> {
    const { limit, after, caller } = from
    const words = searchWords(query.name)
    const found = await searcher.find({ words, filter: memberFilterOf(query), sort, after, limit: limit + 1 }, caller)
    return toFoundPage(found, limit)
  }

  async function searchInOrder(query: PetQuery & { name: string }, from: PageStart): Promise<PetPage> {
    const { limit, after, caller } = from
    const searched = searchInOrderOf(query, limit, after)
    return toPageInOrder(await searcher.findInOrder(searched, caller), searched)
  }

  const listByName = sqlitePetsByName(hold)

  /** Adds the total, from the same snapshot. */
  function withTotal(page: PetPage, query: PetQuery, from = reads): PetPage {
    return query.withTotal && canCount(query) ? { ...page, total: from.count(query) } : page
  }

  /** A page with large names, which are read in steps. */
  function listLarge(query: PetQuery, sort: IdSort, { limit, after, caller }: PageStart): Promise<PetPage> {
    return readWithin(caller, (mayRead, isNext) =>
      hold(
        async (db): Promise<Sized<PetPage>> => {
          const held = petReadsOn(db)
          const heldRead = readsOf(db)
          const rows = await heldRead(() => held.listById(query, sort, after, limit + 1))
          const whole = await held.complete(rows.slice(0, limit), mayRead)
          if ('bytes' in whole) return whole
          const page = toPage([...whole.page, ...(rows.slice(limit) as PetRow[])], limit, toPet)
          return { page: await heldRead(() => withTotal(page, query, held)) }
        },
        caller,
        isNext,
      ),
    )
  }

  const list: Pets['list'] = (query, limit, after, caller) => {
    const { sort = 'id' } = query
    if (hasId(query)) return atOnce(() => pageOfOne(ifMatching(query, reads.find(query.id)), query, after))
    if (isByName(sort)) {
      return hasName(query) ? searchInOrder(query, { limit, after, caller }) : listByName(query, limit, after, caller)
    }
    if (hasName(query)) return search(query, sort, { limit, after, caller })
    return atOnce(() => {
      const encoded = query.asJson ? reads.listJson(query, sort, after, limit) : undefined
      if (encoded !== undefined) return withTotal({ ...encoded, items: [], more: encoded.next !== undefined }, query)
      const rows = reads.listById(query, sort, after, limit + 1)
      if (!rows.every(isWhole)) return listLarge(query, sort, { limit, after, caller })
      return withTotal(toPage(rows, limit, toPet), query)
    })
  }

  /** With large names, which are read in steps. */
  function findLarge(ids: readonly bigint[], caller: Caller | undefined): Promise<PetRow[]> {
    return readWithin(caller, (mayRead, isNext) =>
      hold(
        async (db) => {
          const held = petReadsOn(db)
          return held.complete(await readsOf(db)(() => held.rowsOf(ids)), mayRead)
        },
        caller,
        isNext,
      ),
    )
  }

  async function findAll(ids: readonly bigint[], caller?: Caller): Promise<Pet[]> {
    const rows = await atOnce(() => {
      const found = reads.rowsOf(ids)
      return found.every(isWhole) ? found : findLarge(ids, caller)
    })
    return decodeReadable(rows, toPet)
  }

  return {
    ...withChosen({ list, count: (filter: CountedFilter) => atOnce(() => reads.count(filter)) }, findAll),
    ...sqliteInventory(reader),
    find: (id) => atOnce(() => reads.find(id)),
    findAll,
  }
}

interface PageStart {
  limit: number
  after: bigint
  caller: Caller | undefined
}
