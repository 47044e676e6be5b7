import type { Query } from './route.ts'
import { tabStorage } from './tab-storage.ts'

/** Changes of the address that lead to the ends of a list. A list from its end is read in reverse, page by page. */
export const firstPage: Query = { cursor: undefined, from: undefined }
export const lastPage: Query = { cursor: undefined, from: 'end' }

const prefix = 'petstore-pages-'

/**
 * The cursors of visited pages of a list, for the way back: the service links only to the next page. The page where the
 * list starts has the cursor ''.
 */
export function pageStack(list: string): readonly string[] {
  return (tabStorage.getJson(prefix + list) as string[] | undefined) ?? ['']
}

/** Stores the page after another. Returns the cursors. */
export function pushPage(list: string, cursor: string, next: string | undefined): readonly string[] {
  const pages = pageStack(list)
  const position = pages.indexOf(cursor)
  if (position === -1 || next === undefined || pages[position + 1] === next) return pages
  const longer = [...pages.slice(0, position + 1), next]
  tabStorage.set(prefix + list, JSON.stringify(longer))
  return longer
}

/** Forgets the pages of all lists. */
export function dropPages(): void {
  for (const key of tabStorage.keys()) if (key.startsWith(prefix)) tabStorage.remove(key)
}
