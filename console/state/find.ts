import { type Category, isPetStoreError } from '../../client/src/index.ts'
import { fillPage } from '../api/fill-page.ts'
import { isId, toInt64 } from '../api/int64.ts'
import { service } from '../api/service.ts'
import { type PetPage, withFirst } from './pets.ts'

export interface FoundPage extends PetPage {
  /** Categories with the words that were asked for. */
  categories?: readonly Category[]
}

const maxCategories = 5

/** The first page of a search: the animal with the number that was asked for comes first. */
export async function readFound(
  text: string,
  readPage: () => Promise<PetPage>,
  signal: AbortSignal,
): Promise<FoundPage> {
  const [page, numbered] = await Promise.all([
    readPage(),
    isId(text) ? service().pets.find(toInt64(text), { signal }) : undefined,
  ])
  // One search at a time.
  const categories = await fillPage(
    ({ signal, ...part }) =>
      service()
        .categories.list({ name: text, ...part }, { signal })
        .page(),
    { limit: maxCategories, signal },
  ).catch(refusedText)
  return { ...page, items: withFirst(numbered, page.items), categories: categories.items }
}

/** Categories are an extra: a deployment may not offer them. */
function refusedText(error: unknown): { items: Category[] } {
  if (isPetStoreError(error)) return { items: [] }
  throw error
}
