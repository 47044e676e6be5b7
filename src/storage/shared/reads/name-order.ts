import { nameKey } from '../../../inventory/name-words.ts'
import type { NamePlace } from '../../../inventory/pets.ts'
import type { NameRange } from './find-by-name.ts'

/** A place in a list by name. */
export interface Place {
  /** In UTF-8, whose byte order is the order of code points. */
  key: Buffer
  id: bigint
}

/** A damaged row may have no name. */
export function placeOf(id: bigint, name: string | null): Place {
  return { id, key: Buffer.from(nameKey(name ?? '')) }
}

/** The comparison of a sort. */
export function comparisonOf(sort: 'name' | '-name'): (one: Place, other: Place) => number {
  return sort === 'name' ? compare : (one, other) => compare(other, one)
}

function compare(one: Place, other: Place): number {
  return one.key.compare(other.key) || (one.id < other.id ? -1 : Number(one.id > other.id))
}

/** The first places of those that were added. */
export interface FirstPlaces<Item extends Place> {
  add(item: Item): void
  /** In order. */
  readonly items: readonly Item[]
  /** The part of the list of which all places are wanted and kept. It ends with the last one, if there are enough. */
  range(): NameRange
}

/** Keeps the first `count` places of a range. */
export function keepFirstPlaces<Item extends Place>(range: NameRange, count: number): FirstPlaces<Item> {
  const compareItems = comparisonOf(range.sort)
  const after = range.after && toPlace(range.after)
  const upTo = range.upTo && toPlace(range.upTo)
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

function toPlace({ key, id }: NamePlace): Place {
  return { key: Buffer.from(key), id }
}
