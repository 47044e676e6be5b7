/** The items of both lists in turn. */
export function mixed<Item>(some: readonly Item[], others: readonly Item[]): Item[] {
  return some.flatMap((one, index) => [one, ...others.slice(index, index + 1)]).concat(others.slice(some.length))
}
