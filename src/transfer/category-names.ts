import { int64Min } from '../contract/int64.ts'
import type { Categories } from '../inventory/categories.ts'

/** More names are not kept in memory. */
const maxNames = 1_000

/** The names of categories, each read once as long as there are few. Empty if a category has none. */
export function openCategoryNames({ list }: Pick<Categories, 'list'>): (id: bigint) => Promise<string> {
  const names = new Map<bigint, string>()
  return async (id) => {
    const known = names.get(id)
    if (known !== undefined) return known
    // A list leaves out a damaged row, and reports it: the animals of such a category are exported, too.
    const [category] = (await list(1, id === int64Min ? undefined : id - 1n)).items
    const name = category?.id === id ? category.name : ''
    if (names.size >= maxNames) names.clear()
    names.set(id, name)
    return name
  }
}
