import type { Clock } from '../../../inventory/clock.ts'
import type { Imports } from '../../../inventory/imports.ts'
import { idempotencyRetentionMs } from '../../../inventory/rules/idempotency.ts'
import type { Statement } from '../connection/database.ts'
import type { Readers } from '../reads/readers.ts'
import type { Staging } from '../writes/staging.ts'
import type { Writer } from '../writes/writer.ts'

const bySource: Statement = { name: 'import', text: 'SELECT rows_done, finished FROM imports WHERE source = $1' }

const byKey: Statement = {
  name: 'import_by_key',
  text: 'SELECT fingerprint, response FROM idempotency_records WHERE key_id = $1 AND name = $2 AND created_at > $3',
}

export interface ImportParts {
  readers: Readers
  writer: Writer
  staging: Staging
  /** For `add`: its pets never meet what an import has staged. */
  batches: Staging
  clock: Clock
}

export function postgresImports({ readers: { read }, writer, staging, batches, clock }: ImportParts): Imports {
  let adding: Promise<unknown> = Promise.resolve()

  return {
    batchSize: 5_000,
    stage: (pets) => staging.stage(pets),
    addStaged: (count, step, author) => staging.add(count, step, author),
    // One after the other: they share a connection, which has one transaction at a time.
    add(pets, step, author) {
      const added = adding.then(async () => {
        await batches.stage(pets)
        return batches.add(pets.length, step, author)
      })
      adding = added.catch(() => undefined)
      return added
    },
    async stepOf({ keyId, name }) {
      const { rows } = await read(byKey, [keyId, name, clock() - idempotencyRetentionMs])
      const [row] = rows as [fingerprint: string, body: string][]
      return row && { fingerprint: row[0], body: row[1] }
    },
    async progress(source) {
      const { rows } = await read(bySource, [source])
      const [row] = rows as [rowsDone: bigint, finished: boolean][]
      return row === undefined ? undefined : { rows: Number(row[0]), finished: row[1] }
    },
    forget: (source) => writer.write('forgetImport', source),
  }
}
