import type { Categories } from '../inventory/categories.ts'

/** More names are not kept in memory. */
const maxNames = 1_000

/** The names of categories, each read once as long as there are few. Empty if a category has none. */
export function openCategoryNames({ find }: Pick<Categories, 'find'>): (id: bigint) => Promise<string> {
  const names = new Map<bigint, string>()
  return async (id) => {
    const known = names.get(id)
    if (known !== undefined) return known
    const { name } = (await find(id)) ?? { name: '' }
    if (names.size >= maxNames) names.clear()
    names.set(id, name)
    return name
  }
}
