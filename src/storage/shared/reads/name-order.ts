import { nameKey } from '../../../inventory/name-words.ts'
import type { NameCursor } from '../../../inventory/pets.ts'
import type { NameRange } from './find-by-name.ts'

/** What a list by name is sorted by. */
export interface SortKey {
  /** In UTF-8, whose byte order is the order of code points. */
  key: Buffer
  id: bigint
}

/** A damaged row may have no name. */
export function sortKeyOf(id: bigint, name: string | null): SortKey {
  return { id, key: Buffer.from(nameKey(name ?? '')) }
}

/** The comparison of a sort. */
export function comparisonOf(sort: 'name' | '-name'): (one: SortKey, other: SortKey) => number {
  return sort === 'name' ? compare : (one, other) => compare(other, one)
}

function compare(one: SortKey, other: SortKey): number {
  return one.key.compare(other.key) || (one.id < other.id ? -1 : Number(one.id > other.id))
}

/** The first items, in the order of a list by name, of those that were added. */
export interface FirstItems<Item extends SortKey> {
  add(item: Item): void
  /** In order. */
  readonly items: readonly Item[]
  /** The part of the list of which all items are wanted and collected. It ends with the last one, if there are enough. */
  range(): NameRange
}

/** Collects the first `count` items of a range. */
export function collectFirst<Item extends SortKey>(range: NameRange, count: number): FirstItems<Item> {
  const compareItems = comparisonOf(range.sort)
  const after = range.after && toSortKey(range.after)
  const upTo = range.upTo && toSortKey(range.upTo)
  const items: Item[] = []
  return {
    items,
    add(item) {
      if (after !== undefined && compareItems(item, after) <= 0) return
      const end = items.length === count ? items.at(-1) : upTo
      if (end !== undefined && compareItems(item, end) > 0) return
      let [low, high] = [0, items.length]
      while (low < high) {
        const middle = (low + high) >>> 1
        if (compareItems(item, items[middle] as Item) > 0) low = middle + 1
        else high = middle
      }
      items.splice(low, 0, item)
      if (items.length > count) items.pop()
    },
    range() {
      const last = items.length === count ? items.at(-1) : undefined
      return last === undefined ? range : { ...range, upTo: { key: last.key.toString(), id: last.id } }
    },
  }
}

function toSortKey({ key, id }: NameCursor): SortKey {
  return { key: Buffer.from(key), id }
}
