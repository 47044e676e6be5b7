import { isInt64 } from '../api/int64.ts'

/** By the digits of the ids; null for a category that has no name. */
type Names = ReadonlyMap<string, string | null>

interface IdsByName {
  exact: ReadonlyMap<string, readonly string[]>
  /** By the name in small letters. */
  folded: ReadonlyMap<string, readonly string[]>
}

/** Made once for all names, because a list asks for each of its categories. */
const indexes = new WeakMap<Names, IdsByName>()

/** The categories that have a name. */
export function idsByName(names: Names): IdsByName {
  const known = indexes.get(names)
  if (known !== undefined) return known
  const named = [...names].flatMap(([id, name]) => (name === null ? [] : [{ id, name: name.trim() }]))
  const index: IdsByName = {
    exact: idsBy(named, ({ name }) => name),
    folded: idsBy(named, ({ name }) => name.toLocaleLowerCase()),
  }
  indexes.set(names, index)
  return index
}

function idsBy<Item extends { id: string }>(items: readonly Item[], keyOf: (item: Item) => string) {
  const ids = new Map<string, string[]>()
  for (const item of items) ids.set(keyOf(item), [...(ids.get(keyOf(item)) ?? []), item.id])
  return ids
}

/** The digits of a number, or of the label of a category without a name: `Category 7`. */
export function numberIn(text: string): string | undefined {
  const digits = text.trim().replace(/^category\s+/i, '')
  return isInt64(digits) ? digits : undefined
}
