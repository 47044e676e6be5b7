import type { Categories } from '../inventory/categories.ts'
import type { Caller } from '../inventory/caller.ts'
import { loopSteps } from '../inventory/loop-steps.ts'
import type { PetFilter, Pets } from '../inventory/pets.ts'
import { openCategoryNames } from './category-names.ts'
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

export interface EncodedPets {
  text: string
  /** The number of pets in `text`. */
  count: number
}

/** In characters. A part of a file with large names has fewer pets than a page. */
const maxPartLength = 64 * 1024

/**
 * The file of all matching pets, ascending by id, part by part, so that memory does not grow with their number. No
 * transaction stays open: a pet that is added or removed meanwhile may be in the file or not. The first part has the
 * header of the file.
 */
export async function* encodePets(
  pets: Pets,
  { format, filter, pageSize, categories, caller }: EncodePetsOptions,
): AsyncGenerator<EncodedPets> {
  const steps = loopSteps()
  const nameOf = openCategoryNames(categories)
  let text = format.header
  let count = 0
  let after = 0n
  for (let more = true; more; ) {
    const page = await pets.list(filter, pageSize, after, caller)
    for (const pet of page.items) {
      text += format.encode(pet, format.hasCategoryName ? await nameOf(pet.categoryId) : undefined)
      count++
      if (text.length < maxPartLength) continue
      yield { text, count }
      text = ''
      count = 0
      if (steps.isOver()) await steps.next()
    }
    yield { text, count }
    text = ''
    count = 0
    after = page.next ?? page.items.at(-1)?.id ?? after
    more = page.more
  }
}
