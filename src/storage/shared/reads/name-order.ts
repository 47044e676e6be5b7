import { nameKey } from '../../../inventory/name-words.ts'

/** A place in a list by name. */
export interface Place {
  /** In UTF-8, whose byte order is the order of code points. */
  key: Buffer
  id: bigint
}

export function placeOf(id: bigint, name: string): Place {
  return { id, key: Buffer.from(nameKey(name)) }
}

/** The comparison of a sort. */
export function comparisonOf(sort: 'name' | '-name'): (one: Place, other: Place) => number {
  return sort === 'name' ? compare : (one, other) => compare(other, one)
}

function compare(one: Place, other: Place): number {
  return one.key.compare(other.key) || (one.id < other.id ? -1 : Number(one.id > other.id))
}
