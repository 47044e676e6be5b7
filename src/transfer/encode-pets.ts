import type { Caller } from '../inventory/caller.ts'
import type { PetFilter, Pets } from '../inventory/pets.ts'
import type { Storage } from '../inventory/storage.ts'
import { withCategoryNames } from './category-names.ts'
import { type EncodedPart, encodeFile } from './encode-file.ts'
import type { Format } from './formats/format.ts'
import { readWithinBytes } from './read-within-bytes.ts'

/** Of their names. Of pets with large names, fewer are read at a time than a page has. */
const maxBatchBytes = 256 * 1024

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
  const batches = { limit: pageSize, maxBytes: maxBatchBytes, caller }
  if (!format.hasCategoryName) {
    const read = readWithinBytes((after, limit, within) => pets.list(filter, limit, after, within), batches)
    return encodeFile({ header: format.header, read, encode: (pet) => format.encode(pet) })
  }
  const read = readWithinBytes(
    (after, limit, within) =>
      atOneState(async (state, inState) => {
        const page = await state.pets.list(filter, limit, after, inState)
        return { ...page, items: await withCategoryNames(page.items, state.categories) }
      }, within),
    batches,
  )
  return encodeFile({
    header: format.header,
    read,
    encode: ({ pet, categoryName }) => format.encode(pet, categoryName),
  })
}
