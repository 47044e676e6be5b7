import type { DatabaseSync } from 'node:sqlite'
import type { Imports } from '../../inventory/imports.ts'
import type { Clock } from '../../inventory/storage.ts'
import { prepareRows, readsOf } from './database.ts'
import type { Writer } from './writer.ts'

export function sqliteImports(reader: DatabaseSync, writer: Writer, clock: Clock): Imports {
  const read = readsOf(reader)
  const bySource = prepareRows(reader, 'SELECT rows_done, finished FROM imports WHERE source = ?')

  return {
    stage: (pets) => writer.write('stagePets', pets),
    addStaged: (step) => writer.write('addStagedPets', { at: clock(), ...(step && { step }) }),
    progress: (source) =>
      read(() => {
        const row = bySource.get(source) as [rowsDone: bigint, finished: bigint] | undefined
        return row === undefined ? undefined : { rows: Number(row[0]), finished: row[1] === 1n }
      }),
    forget: (source) => writer.write('forgetImport', source),
  }
}
