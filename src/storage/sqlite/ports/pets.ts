import type { DatabaseSync } from 'node:sqlite'
import type { IdSort } from '../../../contract/parameters.ts'
import { isByName, type Pet } from '../../../contract/pet.ts'
import type { Caller } from '../../../inventory/caller.ts'
import { searchWords } from '../../../inventory/name-words.ts'
import type { Page } from '../../../inventory/page.ts'
import type { CountedFilter, PetFilter, PetQuery, Pets, StatusFilter } from '../../../inventory/pets.ts'
import type { Clock } from '../../../inventory/clock.ts'
import { prepareRows, readsOf } from '../connection/database.ts'
import { hasId, hasName, ifMatching, memberFilterOf } from '../../shared/reads/filters.ts'
import { withChosen } from '../../shared/reads/list-chosen.ts'
import { toFoundPage } from '../../shared/reads/find-by-name.ts'
import { boundOf, toPage } from '../../shared/reads/page.ts'
import { sortedSearch } from '../../shared/reads/sorted-search.ts'
import { asPet, petColumns, type PetRow, toPet, toPetRow } from '../../shared/rows/pet-row.ts'
import { sqliteInventory } from './inventory.ts'
import { prepareLists } from '../reads/lists.ts'
import { inlineColumns, type PetRowNamed, wholePets } from '../reads/whole-pets.ts'
import { sqlitePetsByName } from '../reads/pets-by-name.ts'
import type { Searcher } from '../reads/searcher.ts'
import type { ReadAtEndOfTick } from '../reads/shared-snapshot.ts'
import type { Engine } from '../../shared/ports/engine.ts'
import { manyChanges } from '../../shared/ports/change-many.ts'
import type { Writer } from '../writes/writer.ts'

export interface PetsParts {
  reader: DatabaseSync
  writer: Writer
  clock: Clock
  searcher: Searcher
  readAtEndOfTick: ReadAtEndOfTick
}

export function sqlitePets({ reader, writer, clock, searcher, readAtEndOfTick }: PetsParts): Pets {
  const read = readsOf(reader)
  const lists = prepareLists(reader, inlineColumns)
  const whole = wholePets(reader)
  const one = prepareRows(reader, `SELECT ${petColumns} FROM pets WHERE id = ?`)

  const totals = prepareRows(reader, 'SELECT available, pending, sold, none FROM pet_totals')
  const totalsOfCategory = prepareRows(
    reader,
    'SELECT available, pending, sold, none FROM category_counts WHERE category_id = ?',
  )

  function find(id: bigint): Pet | undefined {
    const row = one.get(id) as PetRow | undefined
    return row === undefined ? undefined : toPet(row)
  }

  function listOne(query: PetFilter & { id: bigint }, after: bigint): Promise<Page<Pet>> {
    return readAtEndOfTick(() =>
      read(() => {
        const pet = ifMatching(query, find(query.id))
        return { items: pet !== undefined && pet.id > after ? [pet] : [], more: false }
      }),
    )
  }

  function count(filter: CountedFilter): bigint {
    if (hasId(filter)) return ifMatching(filter, find(filter.id)) === undefined ? 0n : 1n
    const { status, categoryId } = filter
    const row = categoryId === undefined ? totals.get() : totalsOfCategory.get(categoryId)
    return row === undefined ? 0n : countOf(row as unknown as CountsRow, status)
  }

  /** Large names are null. */
  function readById(query: PetFilter, sort: IdSort, after: bigint, limit: number): InlinePetRow[] {
    const { statement, values } = lists[sort](query)
    return statement.all(...values, boundOf(sort, after), limit) as unknown as InlinePetRow[]
  }

  async function search(query: PetFilter & { name: string }, sort: IdSort, from: PageStart): Promise<Page<Pet>> {
    const { limit, after, caller } = from
    const words = searchWords(query.name)
    const found = await searcher.find({ words, filter: memberFilterOf(query), sort, after, limit: limit + 1 }, caller)
    return toFoundPage(found, limit)
  }

  const searchInOrder = sortedSearch({
    begin: () => (part, _left, caller) => searcher.find(part, caller),
    findAll: async (ids) => (await whole.findAll(ids, () => true)).map(toPetRow),
    budget: searcher.budget,
  })
  const listByName = sqlitePetsByName(reader, whole, (query, after, count) => readById(query, 'id', after, count))

  /** Adds the large names, after the page was read. If all of its pets are gone meanwhile, the list goes on after them. */
  async function complete(page: Page<Pet>, query: PetQuery, limit: number): Promise<Page<Pet>> {
    const ids = page.items.map(({ id }) => id)
    const items = await whole.findAll(ids, (pet) => ifMatching(query, pet) !== undefined)
    if (items.length > 0 || !page.more) return { ...page, items }
    return list(query, limit, ids.at(-1) ?? 0n)
  }

  const list: Pets['list'] = (query, limit, after, caller) => {
    const { sort = 'id' } = query
    if (hasId(query)) return listOne(query, after)
    if (isByName(sort)) {
      return hasName(query) ? searchInOrder(query, limit, after, caller) : listByName(query, limit, after)
    }
    if (hasName(query)) return search(query, sort, { limit, after, caller })
    const inlinePageOf = (rows: InlinePetRow[]): Page<Pet> | Promise<Page<Pet>> => {
      if (rows.every(isWhole)) return toPage(rows, limit, toPet)
      // The names are checked when they are there.
      return complete(toPage(rows as PetRow[], limit, asPet), query, limit)
    }
    return readAtEndOfTick(() => read(() => inlinePageOf(readById(query, sort, after, limit + 1))))
  }

  const findOne = (id: bigint) => readAtEndOfTick(() => read(() => find(id)))
  const findAll = (ids: readonly bigint[]) => whole.findAll(ids, () => true)

  const counted = (filter: CountedFilter) => readAtEndOfTick(() => read(() => count(filter)))

  return {
    ...withChosen({ list, count: counted }, findAll),

    ...sqliteInventory(reader),

    find: findOne,

    create(pet, idempotencyKey, author) {
      return writer.write('createPet', { pet, at: clock(), author, ...(idempotencyKey && { idempotencyKey }) })
    },

    update(id, change, precondition, author) {
      return writer.write('updatePet', { id, change, at: clock(), author, ...(precondition && { precondition }) })
    },

    remove(id, precondition, author) {
      return writer.write('removePet', { id, at: clock(), author, ...(precondition && { precondition }) })
    },

    changeMany: manyChanges({ list, findAll, write: writer.write as Engine['write'], clock }),
  }
}

type InlinePetRow = PetRowNamed<string | null>

function isWhole(row: InlinePetRow): row is PetRow {
  return row[1] !== null
}

interface PageStart {
  limit: number
  after: bigint
  caller: Caller | undefined
}

type CountsRow = [available: bigint, pending: bigint, sold: bigint, none: bigint]

function countOf([available, pending, sold, none]: CountsRow, status: StatusFilter | undefined): bigint {
  return status === undefined ? available + pending + sold + none : { available, pending, sold, none }[status]
}
