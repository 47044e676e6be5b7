import { isByName, type Pet } from '../../../contract/pet.ts'
import type { CountedFilter, Pets } from '../../../inventory/pets.ts'
import type { Clock } from '../../../inventory/clock.ts'
import { counts } from '../schema/counts.ts'
import type { Statement } from '../connection/database.ts'
import { postgresInventory } from './inventory.ts'
import { hasId, hasName, ifMatching } from '../../shared/reads/filters.ts'
import { withChosen } from '../../shared/reads/list-chosen.ts'
import { defaultBudget } from '../../shared/reads/find-by-name.ts'
import { boundOf, toPage } from '../../shared/reads/page.ts'
import { pageOfOne } from '../../shared/reads/page-of-one.ts'
import { openFairQueue } from '../../shared/reads/fair-queue.ts'
import { readWithin } from '../../shared/reads/sized-read.ts'
import { sortedSearch } from '../../shared/reads/sorted-search.ts'
import { petColumns, type PetRow, toPet } from '../../shared/rows/pet-row.ts'
import { decodeReadable } from '../../shared/rows/unreadable-row.ts'
import type { Readers, Reads } from '../reads/readers.ts'
import { batchReads, shareReads } from '../reads/coalesce.ts'
import { countedLists, largeBytesOf, lists, splitTotal, wholeCountedLists, wholeLists } from '../reads/lists.ts'
import { postgresPetsByName } from '../reads/pets-by-name.ts'
import { postgresSearch } from '../reads/name-search.ts'
import { postgresSortedSearch } from '../reads/sorted-search.ts'
import { openWordStatistics } from '../reads/word-statistics.ts'
import { manyChanges } from '../../shared/ports/change-many.ts'
import type { Writer } from '../writes/writer.ts'

const some: Statement = { name: 'some_pets', text: `SELECT ${petColumns} FROM pets WHERE id = ANY ($1::int8[])` }

/** Reads come from the replicas. A bulk change finds its animals on the primary: a replica may lack some of them. */
export function postgresPets(
  replicas: Readers,
  primary: Readers,
  writer: Writer,
  clock: Clock,
  budget = defaultBudget,
): Pets {
  const reads = petReads(replicas, budget)
  const { list } = replicas === primary ? reads : petReads(primary, budget)
  const findAll = async (ids: readonly bigint[]) =>
    decodeReadable((await primary.read(some, [ids])).rows as PetRow[], toPet)

  return {
    ...reads,

    create: (pet, idempotencyKey, author) =>
      writer.write('createPet', { pet, at: clock(), author, ...(idempotencyKey && { idempotencyKey }) }),

    update: (id, change, precondition, author) =>
      writer.write('updatePet', { id, change, at: clock(), author, ...(precondition && { precondition }) }),

    remove: (id, precondition, author) =>
      writer.write('removePet', { id, at: clock(), author, ...(precondition && { precondition }) }),

    changeMany: manyChanges({ list, findAll, write: writer.write, clock }),
  }
}

interface ListRows {
  rows: PetRow[]
  total?: bigint
}

interface Bound {
  statement: Statement
  values: readonly unknown[]
}

type PetReads = Pick<Pets, 'find' | 'count' | 'list' | 'inventory' | 'inventoryById' | 'inventoryOf'>

export function petReads(readers: Reads, budget = defaultBudget): PetReads {
  const { read } = readers
  const find = finder(readers)
  const shareRows = shareReads<ListRows>()

  async function count(filter: CountedFilter): Promise<bigint> {
    if (hasId(filter)) return ifMatching(filter, await find(filter.id)) === undefined ? 0n : 1n
    const { statement, values } = counts(filter)
    const { rows } = await read(statement, values)
    return (rows[0] as [bigint])[0]
  }

  const searchParts = { readers, budget, statistics: openWordStatistics(readers, budget.scannedFirst) }
  const search = postgresSearch(searchParts)
  const searchesInOrder = openFairQueue(1)
  const searchInOrder = sortedSearch({
    atOneState: (read, caller) =>
      searchesInOrder.run(caller, () =>
        readers.hold((state) => {
          const find = postgresSortedSearch({ ...searchParts, readers: state })
          return read({ find, findAll: async (ids) => (await state.readUncounted(some, [ids])).rows as PetRow[] })
        }, caller),
      ),
    budget,
  })
  const listByName = postgresPetsByName(readers)

  const list: Pets['list'] = async (query, limit, after, caller) => {
    const { sort = 'id' } = query
    if (hasId(query)) {
      const pet = ifMatching(query, await find(query.id))
      return pageOfOne(pet, query, after)
    }
    if (isByName(sort)) {
      return hasName(query)
        ? readers.countPending(() => searchInOrder(query, limit, after, caller))
        : listByName(query, limit, after)
    }
    if (hasName(query)) return search({ filter: query, sort, limit, after }, caller)
    const { withTotal = false } = query
    const readRows = async ({ statement, values }: Bound): Promise<ListRows> => {
      // One row more than the limit shows whether there is a next page.
      const read = await readers.readPage({
        statement,
        values: [...values, boundOf(sort, after), limit + 1],
        kind: 'pets',
        after,
      })
      return withTotal ? splitTotal(read.rows) : { rows: read.rows as PetRow[] }
    }
    const toPetPage = ({ rows, ...total }: ListRows) => ({ ...toPage(rows, limit, toPet), ...total })
    const inline = (withTotal ? countedLists : lists)[sort](query)
    const name = [inline.statement.name, ...inline.values, after, limit].join(' ')
    const found = await readers.countPending(() => shareRows(name, () => readRows(inline)))
    const bytes = largeBytesOf(found.rows)
    // The rows are shared.
    if (bytes === 0) return toPetPage({ ...found, rows: [...found.rows] })
    const whole = (withTotal ? wholeCountedLists : wholeLists)[sort](query)
    return readWithin(caller, async (mayRead) =>
      mayRead(bytes) ? { page: toPetPage(await readers.countPending(() => readRows(whole))) } : { bytes },
    )
  }

  const findAll = async (ids: readonly bigint[]) => decodeReadable((await read(some, [ids])).rows as PetRow[], toPet)

  return { find, ...withChosen({ list, count }, findAll), ...postgresInventory(readers) }
}

function finder({ countPending, readUncounted }: Reads): (id: bigint) => Promise<Pet | undefined> {
  const find = batchReads(async (ids: readonly bigint[]) => {
    const { rows } = await readUncounted(some, [ids])
    const found = new Map((rows as PetRow[]).map((row) => [row[0], row]))
    // Decoded for each caller: a damaged row fails its own readers only.
    return (id: bigint) => {
      const row = found.get(id)
      return row && toPet(row)
    }
  })
  return (id) => countPending(() => find(id))
}
