import type { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { unavailable } from '../../inventory/errors.ts'
import { type FileIds, missingFiles } from './database-files.ts'
import { pragma } from './database.ts'
import type { Health } from './health.ts'
import { newerSchema } from './migrate.ts'
import type { Writer } from './writer.ts'

/** A write that is no older proves that writing works. */
const provenForMs = 10_000
/** How long an answer about readiness waits for a write that is under way. */
const probeTimeoutMs = 1_000

export interface ReadinessOptions {
  path: string
  /** The number of the schema that this process writes. */
  schema: number
  files: FileIds
  reader: DatabaseSync
  writer: Writer
  health: Health
}

/** Rejects when a request that writes would fail now. Writes itself, next to nothing, where no write has proven lately that it works. */
export function readinessCheck({ path, schema, files, reader, writer, health }: ReadinessOptions): () => Promise<void> {
  let probing: Promise<void> | undefined

  async function probe(): Promise<void> {
    try {
      await writer.write('probe', undefined)
    } catch {
      // What came of it, the health knows.
    } finally {
      probing = undefined
    }
  }

  return async () => {
    const problem = missingFiles(path, files) ?? newerSchema(path, pragma(reader, 'user_version') as number, schema)
    if (problem !== undefined) health.cannotWrite(problem)
    else if (health.problem !== undefined || performance.now() - health.lastWriteAt > provenForMs) {
      probing ??= probe()
      // One that takes longer is late, not failed: writes have more time than whoever asks for readiness.
      await Promise.race([probing, sleep(probeTimeoutMs, undefined, { ref: false })])
    }
    if (health.problem !== undefined) throw unavailable('Nothing can be written.', new Error(health.problem))
  }
}
