import type { Import, PetStore, RefusedPet } from '../../../client/src/index.ts'
import { randomId } from '../../../client/src/random-id.ts'
import { service } from '../../api/service.ts'
import { type Live, useLive } from '../live.ts'

/** Kept animals that are listed; further ones are counted. */
const maxKept = 100

/** How far an undo is. Continuing it removes nothing twice. */
export interface UndoRun {
  importId: string
  /** The beginning of the idempotency keys of its calls. */
  key: string
  calls: number
  cursor: string | undefined
  removed: number
  kept: number
  keeps: readonly RefusedPet[]
  isDone: boolean
}

export function newUndo(importId: string): UndoRun {
  return { importId, key: randomId(), calls: 0, cursor: undefined, removed: 0, kept: 0, keeps: [], isDone: false }
}

/**
 * Removes up to 1,000 animals at a time. Calls back after each call. Rejects if a call fails: the last run that was
 * called back with can be continued, also if the response was lost.
 */
export async function continueUndo(
  start: UndoRun,
  onProgress: (run: UndoRun) => void,
  isStopped: () => boolean,
): Promise<void> {
  const { pets } = service()
  for (let run = start; !run.isDone && !isStopped(); onProgress(run)) run = await nextCall(pets, run)
}

async function nextCall(pets: PetStore['pets'], run: UndoRun): Promise<UndoRun> {
  const options = { cursor: run.cursor, idempotencyKey: `${run.key}-${run.calls}` }
  const { removed, kept, keeps, next } = await pets.undoImport(run.importId, options)
  return {
    ...run,
    calls: run.calls + 1,
    cursor: next,
    removed: run.removed + removed,
    kept: run.kept + kept,
    keeps: [...run.keeps, ...keeps].slice(0, maxKept),
    isDone: next === undefined,
  }
}

export interface RecentImports {
  items: readonly Import[]
  /** Whether there are older ones. */
  hasMore: boolean
}

const maxImports = 100

/** The latest imports that were not undone. */
export function useImports(isWanted: boolean): Live<RecentImports> {
  return useLive(
    'imports',
    async (signal) => {
      if (!isWanted) return { items: [], hasMore: false }
      const { items, cursor } = await service().pets.imports({ limit: maxImports }, { signal }).page()
      const left = items.filter(({ added, rejected, undoneAt }) => added + rejected > 0 && undoneAt === undefined)
      return { items: left, hasMore: cursor !== undefined }
    },
    { concerns: (change) => 'type' in change && change.type !== 'petstore.pet.updated' },
  )
}
