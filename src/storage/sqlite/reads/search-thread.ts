import type { Found, FoundInOrder, Search, SearchBudget, SearchInOrder } from '../../shared/reads/find-by-name.ts'
import { type FileIds, missingFiles } from '../connection/database-files.ts'
import { openForReading, pragma } from '../connection/database.ts'
import { prepareSearch } from './name-search.ts'
import { prepareSortedSearch } from './sorted-search.ts'

/** The files that are searched; no others that may have taken their names since. */
export interface OpenedFiles {
  path: string
  files: FileIds
}

export interface SearchRequest<Asked> {
  search: Asked
  budget: SearchBudget
}

export type SearchFunctions = ReturnType<typeof run>

/** The search thread. It only reads, on a connection of its own, so that no search blocks the event loop. */
export function run({ path, files }: OpenedFiles) {
  const db = openForReading(path)
  const missing = missingFiles(path, files)
  if (missing !== undefined) throw new Error(missing)
  const searchByName = prepareSearch(db)
  const searchInOrder = prepareSortedSearch(db)

  return {
    search: ({ search, budget }: SearchRequest<Search>): Found => searchByName(search, budget),
    searchInOrder: ({ search, budget }: SearchRequest<SearchInOrder>): FoundInOrder => searchInOrder(search, budget),
    /** Whether it can read. */
    ping: (): void => void pragma(db, 'schema_version'),
    close: (): void => db.close(),
  }
}
