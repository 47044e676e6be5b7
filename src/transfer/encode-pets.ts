import type { Categories } from '../inventory/categories.ts'
import type { Caller } from '../inventory/caller.ts'
import type { PetFilter, Pets } from '../inventory/pets.ts'
import { openCategoryNames } from './category-names.ts'
import { type EncodedPart, encodeFile } from './encode-file.ts'
import type { Format } from './formats/format.ts'

export interface EncodePetsOptions {
  format: Format
  filter: PetFilter
  /** Pets per page. */
  pageSize: number
  /** For a format that has the names of categories. */
  categories: Pick<Categories, 'list'>
  /** Who waits for the file. */
  caller?: Caller | undefined
}

/** The file of all matching pets, ascending by id, part by part. */
export function encodePets(
  pets: Pets,
  { format, filter, pageSize, categories, caller }: EncodePetsOptions,
): AsyncGenerator<EncodedPart> {
  const nameOf = openCategoryNames(categories)
  return encodeFile({
    header: format.header,
    read: (after) => pets.list(filter, pageSize, after, caller),
    encode: format.hasCategoryName
      ? async (pet) => format.encode(pet, await nameOf(pet.categoryId))
      : (pet) => format.encode(pet),
  })
}
