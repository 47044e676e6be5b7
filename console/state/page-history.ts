import type { Query } from './route.ts'
import { keep, readKeptJson } from './tab-storage.ts'

/** Changes of the address that lead to the ends of a list. A list from its end is read in reverse, page by page. */
export const firstPage: Query = { cursor: undefined, from: undefined }
export const lastPage: Query = { cursor: undefined, from: 'end' }

const prefix = 'petstore-pages-'

/**
 * The cursors of visited pages of a list, for the way back: the service links only to the next page. The page where the
 * list starts has the cursor ''.
 */
export function visitedPages(list: string): readonly string[] {
  return (readKeptJson(prefix + list) as string[] | undefined) ?? ['']
}

/** Stores the page after another. Returns the cursors. */
export function rememberNextPage(list: string, cursor: string, next: string | undefined): readonly string[] {
  const pages = visitedPages(list)
  const position = pages.indexOf(cursor)
  if (position === -1 || next === undefined || pages[position + 1] === next) return pages
  const longer = [...pages.slice(0, position + 1), next]
  keep(prefix + list, JSON.stringify(longer))
  return longer
}
