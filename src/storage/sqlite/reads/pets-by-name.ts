import type { DatabaseSync } from 'node:sqlite'
import { loopSteps } from '../../../inventory/loop-steps.ts'
import { canCount, type PetQuery, type Pets } from '../../../inventory/pets.ts'
import { collectFirst, type SortKey, sortKeyOf } from '../../shared/reads/name-order.ts'
import { type MayRead, readWithin, type Sized } from '../../shared/reads/sized-read.ts'
import { type PetRow, toPet } from '../../shared/rows/pet-row.ts'
import { decodeReadable } from '../../shared/rows/unreadable-row.ts'
import { readsOf } from '../connection/database.ts'
import type { HoldState } from './held-states.ts'
import { petReadsOn } from './pet-reads.ts'

/** Pets per read: few enough that the event loop is not blocked for long. */
const petsPerRead = 250

interface PageRows {
  rows: PetRow[]
  /** Where the page ends, if there are more pets. */
  end: SortKey | undefined
  total?: bigint
}

/** Lists by name: reads all pets of a list in steps of the event loop, from one state, and keeps the first ones. */
export function sqlitePetsByName(hold: HoldState): Pets['list'] {
  const list: Pets['list'] = async (query, limit, after, caller) => {
    const { rows, end, ...total } = await readWithin(caller, (mayRead, isNext) =>
      hold((db) => readPage(db, { query, limit, after }, mayRead), caller, isNext),
    )
    const items = decodeReadable(rows, toPet)
    if (items.length > 0 || end === undefined) return { items, more: end !== undefined, ...total }
    // The next page starts after the name of an item: if none can be read, the list goes on after them.
    return list({ ...query, afterKey: end.key.toString() }, limit, end.id, caller)
  }
  return list
}

interface PageStart {
  query: PetQuery
  limit: number
  after: bigint
}

async function readPage(db: DatabaseSync, start: PageStart, mayRead: MayRead): Promise<Sized<PageRows>> {
  const { query, limit } = start
  const read = readsOf(db)
  const reads = petReadsOn(db)
  const found = await firstSortKeys(db, start)
  const page = found.slice(0, limit)
  const rows = await read(() => reads.rowsOf(page.map(({ id }) => id)))
  const whole = await reads.complete(rows, mayRead)
  if ('bytes' in whole) return whole
  const end = found.length > limit ? page.at(-1) : undefined
  const total = query.withTotal && canCount(query) ? { total: await read(() => reads.count(query)) } : {}
  return { page: { rows: whole.page, end, ...total } }
}

/** The sort keys of the first pets of the page, and of one more. */
async function firstSortKeys(db: DatabaseSync, { query, limit, after }: PageStart): Promise<readonly SortKey[]> {
  const read = readsOf(db)
  const reads = petReadsOn(db)
  const sort = query.sort === '-name' ? '-name' : 'name'
  const start = query.afterKey === undefined ? {} : { after: { key: query.afterKey, id: after } }
  const first = collectFirst({ sort, ...start }, limit + 1)
  const steps = loopSteps()
  for (let from: bigint | undefined = 0n; from !== undefined; ) {
    const position: bigint = from
    const rows = await read(() => reads.listById(query, 'id', position, petsPerRead))
    for (const [id, inlineName] of rows) {
      const name = inlineName ?? (await read(() => reads.comparedName(id)))
      if (name !== undefined) first.add(sortKeyOf(id, name))
      if (steps.isOver()) await steps.next()
    }
    from = rows.length === petsPerRead ? rows.at(-1)?.[0] : undefined
  }
  return first.items
}
