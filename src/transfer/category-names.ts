import { int64Min } from '../contract/int64.ts'
import type { Pet } from '../contract/pet.ts'
import type { Categories } from '../inventory/categories.ts'

export interface NamedPet {
  id: bigint
  pet: Pet
  /** Empty if the category has none. */
  categoryName: string
}

/** Adds the names of the categories, each read once. */
export async function withCategoryNames(pets: readonly Pet[], { list }: Pick<Categories, 'list'>): Promise<NamedPet[]> {
  const names = new Map<bigint, string>()
  for (const { categoryId: id } of pets) {
    if (names.has(id)) continue
    // A list leaves out a damaged row, and reports it: the animals of such a category are exported, too.
    const [category] = (await list(1, id === int64Min ? undefined : id - 1n)).items
    names.set(id, category?.id === id ? category.name : '')
  }
  return pets.map((pet) => ({ id: pet.id, pet, categoryName: names.get(pet.categoryId) ?? '' }))
}
