import type { DatabaseSync } from 'node:sqlite'
import { unavailable } from '../../inventory/errors.ts'
import type { Imports } from '../../inventory/imports.ts'
import type { Clock } from '../../inventory/storage.ts'
import { prepareRows, readsOf } from './database.ts'
import type { Writer } from './writer.ts'

export function sqliteImports(reader: DatabaseSync, writer: Writer, clock: Clock): Imports {
  const read = readsOf(reader)
  const bySource = prepareRows(reader, 'SELECT rows_done, finished FROM imports WHERE source = ?')

  /** What fails leaves nothing staged. */
  async function orDiscard<Result>(writing: Promise<Result>): Promise<Result> {
    try {
      return await writing
    } catch (error) {
      await writer.write('discardStagedPets', undefined).catch(() => undefined)
      throw error
    }
  }

  return {
    batchSize: 5_000,
    stage: (pets) => orDiscard(writer.write('stagePets', pets)),
    async addStaged(count, step) {
      const isAdded = await orDiscard(writer.write('addStagedPets', { count, at: clock(), ...(step && { step }) }))
      if (isAdded === 'lost') throw unavailable(`Not all of the ${count} animals are staged: some were lost.`)
      return isAdded
    },
    progress: (source) =>
      read(() => {
        const row = bySource.get(source) as [rowsDone: bigint, finished: bigint] | undefined
        return row === undefined ? undefined : { rows: Number(row[0]), finished: row[1] === 1n }
      }),
    forget: (source) => writer.write('forgetImport', source),
  }
}
