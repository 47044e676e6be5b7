import type { Caller } from './caller.ts'
import { highestId } from './highest-id.ts'
import { endOf } from './page.ts'
import { type BulkRange, canCount, type ManyFilter } from './pets.ts'
import type { ShopState, Storage } from './storage.ts'

const petsPerRead = 100
/**
 * How long counting may take, because it holds a state. Then the number is that of the pets found so far: a busy machine
 * finds fewer.
 */
const maxMs = 2_000

/** How many pets match, up to a maximum. */
export interface Matching {
  matching: number
  /** Whether more match, or may do so. */
  more: boolean
  /** Where they were counted: the pets that are there now, if no range was given. */
  range: BulkRange
}

interface CountRequest {
  filter: ManyFilter
  /** Only these are counted. */
  range?: BulkRange | undefined
  max: number
}

/** Counts at one moment. A search or a long list of ids that takes too long counts as more. */
export async function countMatching(
  { atOneState }: Pick<Storage, 'atOneState'>,
  { filter, range: asked, max }: CountRequest,
  caller?: Caller,
): Promise<Matching> {
  return atOneState(async ({ pets }, inState) => {
    const highest = await highestId(pets.list, inState)
    const range = asked ?? { after: 0n, upTo: highest }
    const count = counter(pets, inState, max)
    const { ids, ...others } = filter
    if (ids === undefined && canCount(others) && range.after === 0n) {
      const { total = 0n } = await pets.list({ ...others, withTotal: true }, 1, 0n, inState)
      const newer = await count(filter, { after: range.upTo, upTo: highest })
      const matching = Number(total) - newer.matching
      if (!newer.more) return { matching: Math.min(matching, max), more: matching > max, range }
    }
    return { ...(await count(filter, range)), range }
  }, caller)
}

/** Counts by reading. */
function counter(pets: ShopState['pets'], inState: Caller | undefined, max: number) {
  const endsAt = performance.now() + maxMs
  return async ({ ids, ...filter }: ManyFilter, range: BulkRange): Promise<Omit<Matching, 'range'>> => {
    let matching = 0
    for (const part of ids === undefined ? [undefined] : partsOf([...new Set(ids)])) {
      for (let after: bigint | undefined = range.after; after !== undefined && after < range.upTo; ) {
        if (matching > max || performance.now() > endsAt) return { matching: Math.min(matching, max), more: true }
        const page = await pets.list({ ...filter, ...(part && { ids: part }) }, petsPerRead, after, inState)
        matching += page.items.filter(({ id }) => id <= range.upTo).length
        after = endOf(page)
      }
    }
    return { matching: Math.min(matching, max), more: matching > max }
  }
}

function partsOf(ids: readonly bigint[]): bigint[][] {
  const count = Math.ceil(ids.length / petsPerRead)
  return Array.from({ length: count }, (_none, part) => ids.slice(part * petsPerRead, (part + 1) * petsPerRead))
}
