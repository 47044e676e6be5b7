import type { DatabaseSync } from 'node:sqlite'
import type { Pet } from '../../../contract/pet.ts'
import { loopSteps } from '../../../inventory/loop-steps.ts'
import type { PetQuery, Pets } from '../../../inventory/pets.ts'
import { ifMatching } from '../../shared/reads/filters.ts'
import { collectFirst, type SortKey, sortKeyOf } from '../../shared/reads/name-order.ts'
import { readsOf } from '../connection/database.ts'
import type { WholePets } from './whole-pets.ts'

/** Pets per read: few enough that the event loop is not blocked for long. */
const petsPerRead = 250

/** At most `count` matching pets after an id. Large names are null. */
export type ReadNames = (
  query: PetQuery,
  after: bigint,
  count: number,
) => (readonly [id: bigint, name: string | null, ...unknown[]])[]

/** Lists by name: reads all pets of a list in steps of the event loop and keeps the first ones. */
export function sqlitePetsByName(reader: DatabaseSync, whole: WholePets, readNames: ReadNames): Pets['list'] {
  const read = readsOf(reader)

  /** The sort keys of the first `count` pets of the page. */
  async function firstSortKeys(query: PetQuery, count: number, after: bigint): Promise<readonly SortKey[]> {
    const sort = query.sort === '-name' ? '-name' : 'name'
    const start = query.afterKey === undefined ? {} : { after: { key: query.afterKey, id: after } }
    const first = collectFirst({ sort, ...start }, count)
    const steps = loopSteps()
    for (let from: bigint | undefined = 0n; from !== undefined; ) {
      const position: bigint = from
      const rows = await read(() => readNames(query, position, petsPerRead))
      for (const [id, inlineName] of rows) {
        const name = inlineName ?? (await read(() => whole.comparedName(id)))
        if (name !== undefined) first.add(sortKeyOf(id, name))
        if (steps.isOver()) await steps.next()
      }
      from = rows.length === petsPerRead ? rows.at(-1)?.[0] : undefined
    }
    return first.items
  }

  const list: Pets['list'] = async (query, limit, after) => {
    const found = await firstSortKeys(query, limit + 1, after)
    const more = found.length > limit
    const page = found.slice(0, limit)
    const last = page.at(-1)
    const keys = new Map(page.map(({ id, key }) => [id, key]))
    // A pet that was renamed meanwhile has another sort key.
    const isUnmoved = (pet: Pet) => keys.get(pet.id)?.equals(sortKeyOf(pet.id, pet.name).key) === true
    const items = await whole.findAll([...keys.keys()], (pet) => isUnmoved(pet) && ifMatching(query, pet) !== undefined)
    if (items.length > 0 || !more || last === undefined) return { items, more }
    return list({ ...query, afterKey: last.key.toString() }, limit, last.id)
  }
  return list
}
