import type { PetFilter, Pets } from '../inventory/pets.ts'
import type { Format } from './formats/format.ts'

export interface EncodePetsOptions {
  format: Format
  filter: PetFilter
  /** Pets per page. */
  pageSize: number
}

export interface EncodedPets {
  text: string
  /** The number of pets in `text`. */
  count: number
}

/**
 * The file of all matching pets, ascending by id, page by page, so that memory does not grow with their number. No
 * transaction stays open: a pet that is added or removed meanwhile may be in the file or not. The first part has the
 * header of the file.
 */
export async function* encodePets(
  pets: Pets,
  { format, filter, pageSize }: EncodePetsOptions,
): AsyncGenerator<EncodedPets> {
  let text = format.header
  let after = 0n
  let history: string | undefined
  for (let more = true; more; text = '') {
    const page = await pets.list(filter, pageSize, after, history)
    for (const pet of page.items) text += format.encode(pet)
    yield { text, count: page.items.length }
    after = page.items.at(-1)?.id ?? after
    ;({ more, history } = page)
  }
}
