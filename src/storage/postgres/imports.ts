import type { Imports } from '../../inventory/imports.ts'
import type { Statement } from './database.ts'
import type { Readers } from './readers.ts'
import type { Staging } from './staging.ts'
import type { Writer } from './writer.ts'

const bySource: Statement = { name: 'import', text: 'SELECT rows_done, finished FROM imports WHERE source = $1' }

export function postgresImports({ read }: Readers, writer: Writer, staging: Staging): Imports {
  return {
    batchSize: 5_000,
    stage: (pets) => staging.stage(pets),
    addStaged: (count, step, author) => staging.add(count, step, author),
    async progress(source) {
      const { rows } = await read(bySource, [source])
      const [row] = rows as [rowsDone: bigint, finished: boolean][]
      return row === undefined ? undefined : { rows: Number(row[0]), finished: row[1] }
    },
    forget: (source) => writer.write('forgetImport', source),
  }
}
