import type { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { unavailable } from '../../inventory/errors.ts'
import { type FileIds, missingFiles } from './connection/database-files.ts'
import { pragma } from './connection/database.ts'
import type { Health } from './connection/health.ts'
import { otherSchema } from './schema/migrate.ts'
import type { Writer } from './writes/writer.ts'

/** A write this recent proves that writing works. */
const maxProofAgeMs = 10_000
/** How long a readiness check waits for a write in progress. */
const probeTimeoutMs = 1_000

export interface ReadinessOptions {
  path: string
  /** The schema number of this process. */
  schema: number
  files: FileIds
  reader: DatabaseSync
  writer: Writer
  health: Health
}

/** Rejects if a write would fail now. Writes one page itself if no recent write has succeeded. */
export function readinessCheck({ path, schema, files, reader, writer, health }: ReadinessOptions): () => Promise<void> {
  let probing: Promise<void> | undefined

  async function probe(): Promise<void> {
    try {
      await writer.write('probe', undefined)
    } catch {
      // `health` has the result.
    } finally {
      probing = undefined
    }
  }

  return async () => {
    const missing = missingFiles(path, files)
    const other = missing ?? otherSchema(path, pragma(reader, 'user_version') as number, schema)
    if (missing === undefined && other !== undefined) health.cannotWrite(other)
    // The writer says what is missing, and saves what it can.
    else if (
      missing !== undefined ||
      health.problem !== undefined ||
      performance.now() - health.lastWriteAt > maxProofAgeMs
    ) {
      probing ??= probe()
      // A slower write is late, not failed: writes have a longer timeout than readiness checks.
      await Promise.race([probing, sleep(probeTimeoutMs, undefined, { ref: false })])
      if (missing !== undefined && health.problem === undefined) health.cannotWrite(missing)
    }
    if (health.problem !== undefined) throw unavailable('Nothing can be written.', new Error(health.problem))
  }
}
