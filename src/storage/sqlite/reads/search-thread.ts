import type { DatabaseSync } from 'node:sqlite'
import type { Found, Search, SearchBudget } from '../../shared/reads/find-by-name.ts'
import type { PetRow } from '../../shared/rows/pet-row.ts'
import { type FileIds, missingFiles } from '../connection/database-files.ts'
import { openForReading, pragma } from '../connection/database.ts'
import { sqliteCode } from '../connection/errors.ts'
import { prepareSearch, type SearchByName } from './name-search.ts'
import { prepareFindPets } from './whole-pets.ts'

/** The files that are searched; no others that may have taken their names since. */
export interface OpenedFiles {
  path: string
  files: FileIds
}

/** A state that is searched several times, by its number. */
export interface StateRequest {
  state: number
  /** Whether this is the first search of it. */
  isNew: boolean
}

export interface SearchRequest {
  search: Search
  budget: SearchBudget
  /** Default: the newest one. */
  of?: StateRequest
}

export type SearchFunctions = ReturnType<typeof run>

/** The search thread. It only reads, on connections of its own, so that no search blocks the event loop. */
export function run({ path, files }: OpenedFiles) {
  const newest = openReading()
  const states = new Map<number, Reading>()
  const idle: Reading[] = []

  function openReading(): Reading {
    const db = openForReading(path)
    const missing = missingFiles(path, files)
    if (missing !== undefined) throw new Error(missing)
    return { db, searchByName: prepareSearch(db), findPets: prepareFindPets(db) }
  }

  function readingOf({ state, isNew }: StateRequest): Reading {
    const known = states.get(state)
    // The thread was replaced meanwhile, or a damaged page has ended the transaction.
    if (!isNew && !known?.db.isTransaction)
      throw Object.assign(new Error('The state is lost.'), { errcode: sqliteCode.busy })
    if (known !== undefined) return known
    const reading = idle.pop() ?? openReading()
    reading.db.exec('BEGIN')
    states.set(state, reading)
    return reading
  }

  return {
    search({ search, budget, of }: SearchRequest): Found {
      const { searchByName } = of === undefined ? newest : readingOf(of)
      return searchByName(search, budget)
    },
    /** The pets that earlier searches have found. */
    findPets: ({ ids, of }: { ids: readonly bigint[]; of: StateRequest }): PetRow[] => readingOf(of).findPets(ids),
    endState(state: number): void {
      const reading = states.get(state)
      if (reading === undefined) return
      states.delete(state)
      if (reading.db.isTransaction) reading.db.exec('ROLLBACK')
      idle.push(reading)
    },
    /** Whether it can read. */
    ping: (): void => void pragma(newest.db, 'schema_version'),
    close(): void {
      for (const { db } of [newest, ...states.values(), ...idle]) db.close()
    },
  }
}

interface Reading {
  db: DatabaseSync
  searchByName: SearchByName
  findPets: ReturnType<typeof prepareFindPets>
}
