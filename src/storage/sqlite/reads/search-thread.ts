import { parentPort, workerData } from 'node:worker_threads'
import type { Found, Search, SearchBudget } from '../../shared/reads/find-by-name.ts'
import { type FileIds, missingFiles } from '../connection/database-files.ts'
import { openForReading } from '../connection/database.ts'
import { prepareSearch } from './name-search.ts'

/** The files that are searched; no others that may have taken their names since. */
export interface OpenedFiles {
  path: string
  files: FileIds
}

export interface SearchRequest {
  search: Search
  budget: SearchBudget
}

/** A failure of SQLite, with its result code. */
export type SearchReply = { found: Found } | { failure: { message: string; errcode: unknown } }

/** Runs the search thread. It only reads, on a connection of its own, so that no search blocks the event loop. */
export function runSearch(): void {
  const port = parentPort
  if (port === null) throw new Error('runSearch is for a worker thread')
  const { path, files } = workerData as OpenedFiles
  const db = openForReading(path)
  const missing = missingFiles(path, files)
  if (missing !== undefined) throw new Error(missing)
  const searchByName = prepareSearch(db)

  port.on('message', (request: SearchRequest | 'close') => {
    if (request === 'close') {
      db.close()
      port.close()
    } else port.postMessage(reply(request))
  })

  function reply({ search, budget }: SearchRequest): SearchReply {
    try {
      return { found: searchByName(search, budget) }
    } catch (error) {
      return { failure: { message: (error as Error).message, errcode: (error as { errcode?: unknown }).errcode } }
    }
  }
}
