import type { Caller } from '../inventory/caller.ts'
import type { PetFilter, Pets } from '../inventory/pets.ts'
import type { Storage } from '../inventory/storage.ts'
import { withCategoryNames } from './category-names.ts'
import { type EncodedPart, encodeFile } from './encode-file.ts'
import type { Format } from './formats/format.ts'

export interface EncodePetsOptions {
  format: Format
  filter: PetFilter
  /** Pets per page. */
  pageSize: number
  /** For a format that has the names of categories. */
  atOneState: Storage['atOneState']
  /** Who waits for the file. */
  caller?: Caller | undefined
}

/** The file of all matching pets, ascending by id, part by part. Each page is one state. */
export function encodePets(
  pets: Pick<Pets, 'list'>,
  { format, filter, pageSize, atOneState, caller }: EncodePetsOptions,
): AsyncGenerator<EncodedPart> {
  if (!format.hasCategoryName) {
    return encodeFile({
      header: format.header,
      read: (after) => pets.list(filter, pageSize, after, caller),
      encode: (pet) => format.encode(pet),
    })
  }
  return encodeFile({
    header: format.header,
    read: (after) =>
      atOneState(async (state, inState) => {
        const page = await state.pets.list(filter, pageSize, after, inState)
        return { ...page, items: await withCategoryNames(page.items, state.categories) }
      }, caller),
    encode: ({ pet, categoryName }) => format.encode(pet, categoryName),
  })
}
