import { isByName, type Pet } from '../../../contract/pet.ts'
import type { CountedFilter, Pets } from '../../../inventory/pets.ts'
import type { Caller } from '../../../inventory/caller.ts'
import type { Clock } from '../../../inventory/clock.ts'
import { counts } from '../schema/counts.ts'
import type { Statement } from '../connection/statement.ts'
import { postgresInventory } from './inventory.ts'
import { hasId, hasName, ifMatching } from '../../shared/reads/filters.ts'
import { withChosen } from '../../shared/reads/list-chosen.ts'
import { defaultBudget } from '../../shared/reads/find-by-name.ts'
import { boundOf, toPage } from '../../shared/reads/page.ts'
import { pageOfOne } from '../../shared/reads/page-of-one.ts'
import { type PetRow, toPet } from '../../shared/rows/pet-row.ts'
import { decodeReadable } from '../../shared/rows/unreadable-row.ts'
import type { Readers } from '../reads/readers.ts'
import type { Reads } from '../reads/read.ts'
import { batchReads, shareReads } from '../reads/coalesce.ts'
import { bothForms, readInForms } from '../reads/large-texts.ts'
import { countedLists, lists, splitTotal } from '../reads/lists.ts'
import { postgresPetsByName } from '../reads/pets-by-name.ts'
import { postgresSearch } from '../reads/name-search.ts'
import { postgresSortedSearch } from '../reads/sorted-search.ts'
import { openWordStatistics } from '../reads/word-statistics.ts'
import { manyChanges } from '../../shared/ports/change-many.ts'
import { petWrites } from '../../shared/ports/pet-writes.ts'
import type { Writer } from '../writes/writer.ts'

const someOf = (columns: string, prefix: string): Statement => ({
  name: `${prefix}some_pets`,
  text: `SELECT ${columns} FROM pets WHERE id = ANY ($1::int8[])`,
})
const some = bothForms(someOf)

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
  const findAll = findAllBy(primary)
  const writing = { write: writer.write, clock }

  return {
    ...reads,
    ...petWrites(writing),
    changeMany: manyChanges({ list, findAll, ...writing }),
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

  const searchParts = { readers, budget, statistics: openWordStatistics(readers) }
  const search = postgresSearch(searchParts)
  const searchInOrder = postgresSortedSearch(searchParts)
  const listByName = postgresPetsByName(readers)

  const list: Pets['list'] = async (query, limit, after, caller) => {
    const { sort = 'id' } = query
    if (hasId(query)) {
      const pet = ifMatching(query, await find(query.id))
      return pageOfOne(pet, query, after)
    }
    if (isByName(sort)) {
      return (hasName(query) ? searchInOrder : listByName)(query, limit, after, caller)
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
    const found = await readInForms(caller, (form) => {
      const page = (withTotal ? countedLists : lists)[form][sort](query)
      if (form === 'whole') return readers.countPending(() => readRows(page))
      const name = [page.statement.name, ...page.values, after, limit].join(' ')
      return readers.countPending(() => shareRows(name, () => readRows(page)))
    })
    // The rows may be shared.
    return toPetPage({ ...found, rows: [...found.rows] })
  }

  return { find, ...withChosen({ list, count }, findAllBy(readers)), ...postgresInventory(readers) }
}

/** The pets with these ids that exist and can be read, in any order. */
function findAllBy({ read }: Pick<Reads, 'read'>) {
  return async (ids: readonly bigint[], caller?: Caller): Promise<Pet[]> => {
    const { rows } = await readInForms(caller, async (form) => ({
      rows: (await read(some[form], [ids])).rows as PetRow[],
    }))
    return decodeReadable(rows, toPet)
  }
}

function finder({ countPending, readUncounted }: Reads): (id: bigint) => Promise<Pet | undefined> {
  const find = batchReads(async (ids: readonly bigint[]) => {
    const { rows } = await readUncounted(some.whole, [ids])
    const found = new Map((rows as PetRow[]).map((row) => [row[0], row]))
    // Decoded for each caller: a damaged row fails its own readers only.
    return (id: bigint) => {
      const row = found.get(id)
      return row && toPet(row)
    }
  })
  return (id) => countPending(() => find(id))
}
