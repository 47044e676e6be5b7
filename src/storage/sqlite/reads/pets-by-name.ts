import type { DatabaseSync } from 'node:sqlite'
import type { IdSort } from '../../../contract/parameters.ts'
import { maxSortedByName, type Pet } from '../../../contract/pet.ts'
import type { Caller } from '../../../inventory/caller.ts'
import { tooManyToSort } from '../../../inventory/errors.ts'
import { loopSteps } from '../../../inventory/loop-steps.ts'
import type { PetQuery, Pets } from '../../../inventory/pets.ts'
import { hasName, ifMatching } from '../../shared/reads/filters.ts'
import { comparisonOf, type Place, placeOf } from '../../shared/reads/name-order.ts'
import { inHistory } from '../../shared/reads/page.ts'
import { readsOf } from '../connection/database.ts'
import type { JudgePage } from '../schema/lineage.ts'
import type { WholePets } from './whole-pets.ts'

/** Pets per read: few enough that the event loop is not blocked for long. */
const petsPerRead = 250

/** What a search for all matches may take of a CPU. It runs in parts that take turns with other searches. */
const maxSearchCpuMs = 500

/** A part of the matches. Large names may be null. */
interface FoundNames {
  rows: readonly (readonly [id: bigint, name: string | null, ...unknown[]])[]
  /** Where the next part starts, if there is one. */
  next?: bigint
  cpuMs?: number
}

/** At most `count` matching pets after an id. */
export type FindPets<Part extends FoundNames = FoundNames> = (
  sort: IdSort,
  after: bigint,
  count: number,
  caller: Caller | undefined,
) => Promise<Part>

/** Lists by name: reads all matches in steps of the event loop and keeps the first ones. */
export function sqlitePetsByName(
  reader: DatabaseSync,
  judge: JudgePage,
  whole: WholePets,
  findFor: (query: PetQuery) => FindPets,
): Pets['list'] {
  const read = readsOf(reader)

  /** The first `count` places after `start`. */
  async function firstPlaces(
    query: PetQuery,
    count: number,
    start: Place | undefined,
    caller: Caller | undefined,
  ): Promise<Place[]> {
    const find = findFor(query)
    const compare = comparisonOf(query.sort === '-name' ? '-name' : 'name')
    const steps = loopSteps()
    let first: Place[] = []
    let matches = 0
    let cpuMs = 0
    for (let from: bigint | undefined = 0n; from !== undefined; ) {
      const found: FoundNames = await find('id', from, petsPerRead, caller)
      matches += found.rows.length
      cpuMs += found.cpuMs ?? 0
      if (hasName(query) && (matches > maxSortedByName || cpuMs > maxSearchCpuMs)) throw tooManyToSort()
      // Most rows come after the first ones known so far and need no sorting.
      const worst = first.length === count ? first.at(-1) : undefined
      const candidates: Place[] = []
      for (const [id, inlineName] of found.rows) {
        const name = inlineName ?? (await read(() => whole.comparedName(id)))
        if (name === undefined) continue
        const place = placeOf(id, name)
        const isAfterStart = start === undefined || compare(place, start) > 0
        if (isAfterStart && !(worst && compare(place, worst) > 0)) candidates.push(place)
        if (steps.isOver()) await steps.next()
      }
      first = [...first, ...candidates].toSorted(compare).slice(0, count)
      from = found.next
    }
    return first
  }

  const list: Pets['list'] = async (query, limit, after, history, caller) => {
    const start = query.afterKey === undefined ? undefined : { key: Buffer.from(query.afterKey), id: after }
    const places = await firstPlaces(query, limit + 1, start, caller)
    const more = places.length > limit
    const page = places.slice(0, limit)
    const last = page.at(-1)
    const verdict = await read(() =>
      judge({ kind: 'pets', after: { id: after, history }, last: more ? last?.id : undefined }),
    )
    const keys = new Map(page.map(({ id, key }) => [id, key]))
    // A pet that was renamed meanwhile has another place.
    const isInPlace = (pet: Pet) => keys.get(pet.id)?.equals(placeOf(pet.id, pet.name).key) === true
    const items = await whole.findAll([...keys.keys()], (pet) => isInPlace(pet) && ifMatching(query, pet) !== undefined)
    if (items.length > 0 || !more || last === undefined) return inHistory({ items, more }, verdict)
    return list({ ...query, afterKey: last.key.toString() }, limit, last.id, verdict.history, caller)
  }
  return list
}
