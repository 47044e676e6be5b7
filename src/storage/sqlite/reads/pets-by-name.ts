import type { DatabaseSync } from 'node:sqlite'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { maxSortedByName } from '../../../contract/pet.ts'
import { tooManyToSort } from '../../../inventory/errors.ts'
import type { PetQuery, Pets } from '../../../inventory/pets.ts'
import { hasName } from '../../shared/reads/filters.ts'
import { comparisonOf, type NamedRow, placeOf } from '../../shared/reads/name-order.ts'
import { inHistory, lastOfPage, toPage } from '../../shared/reads/page.ts'
import { type PetRow, toPet } from '../../shared/rows/pet-row.ts'
import { readsOf } from '../connection/database.ts'
import type { JudgePage } from '../schema/lineage.ts'

/** Pets per read: few enough that the event loop is not blocked for long. */
const petsPerRead = 1_000

/** Reads at most `limit` matching pets after an id, ascending by id. */
export type ReadById = (query: PetQuery, after: bigint, limit: number) => Promise<PetRow[]>

/** Lists by name: reads all matches in chunks and keeps the first ones. */
export function sqlitePetsByName(reader: DatabaseSync, judge: JudgePage, readById: ReadById): Pets['list'] {
  const read = readsOf(reader)

  return async (query, limit, after, history) => {
    const compare = comparisonOf(query.sort === '-name' ? '-name' : 'name')
    const start = query.afterKey === undefined ? undefined : { key: Buffer.from(query.afterKey), id: after }
    let first: NamedRow[] = []
    let matches = 0
    for (let from = 0n, isEnd = false; !isEnd; ) {
      const rows = await readById(query, from, petsPerRead)
      matches += rows.length
      if (hasName(query) && matches > maxSortedByName) throw tooManyToSort()
      // Most rows come after the first ones known so far and need no sorting.
      const worst = first.length > limit ? first.at(-1) : undefined
      const candidates = rows
        .map(placeOf)
        .filter((one) => (start === undefined || compare(one, start) > 0) && !(worst && compare(one, worst) > 0))
      first = [...first, ...candidates].toSorted(compare).slice(0, limit + 1)
      from = rows.at(-1)?.[0] ?? from
      isEnd = rows.length < petsPerRead
      if (!isEnd) await nextTurn()
    }
    return read(() => {
      const found = first.map(({ row }) => row)
      const verdict = judge({ kind: 'pets', after: { id: after, history }, last: lastOfPage(found, limit) })
      return inHistory(toPage(found, limit, toPet), verdict)
    })
  }
}
