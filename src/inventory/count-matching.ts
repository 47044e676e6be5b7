import type { BulkForecast } from '../contract/bulk.ts'
import type { Caller } from './caller.ts'
import { endOf } from './page.ts'
import { canCount, type ManyFilter } from './pets.ts'
import type { Storage } from './storage.ts'

const petsPerRead = 100
/** A state is held meanwhile. */
const maxMs = 1_000

/** How many pets match, up to `max`, at one moment. A search or a long list of ids that takes too long counts as more. */
export async function countMatching(
  { pets, atOneState }: Pick<Storage, 'pets' | 'atOneState'>,
  { ids, ...filter }: ManyFilter,
  max: number,
  caller?: Caller,
): Promise<BulkForecast> {
  if (ids === undefined && canCount(filter)) return forecastOf(Number(await pets.count(filter)), max)
  const parts = ids === undefined ? [undefined] : partsOf([...new Set(ids)])
  return atOneState(async (state, inState) => {
    const endsAt = performance.now() + maxMs
    let matching = 0
    for (const part of parts) {
      for (let after: bigint | undefined = 0n; after !== undefined; ) {
        if (matching > max || performance.now() > endsAt) return { matching: Math.min(matching, max), more: true }
        const page = await state.pets.list({ ...filter, ...(part && { ids: part }) }, petsPerRead, after, inState)
        matching += page.items.length
        after = endOf(page)
      }
    }
    return forecastOf(matching, max)
  }, caller)
}

function forecastOf(matching: number, max: number): BulkForecast {
  return { matching: Math.min(matching, max), more: matching > max }
}

function partsOf(ids: readonly bigint[]): bigint[][] {
  const count = Math.ceil(ids.length / petsPerRead)
  return Array.from({ length: count }, (_none, part) => ids.slice(part * petsPerRead, (part + 1) * petsPerRead))
}
