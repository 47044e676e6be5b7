import type { DatabaseSync } from 'node:sqlite'
import type { Environment } from '../../../contract/environment.ts'
import type { Row } from '../../../inventory/snapshot.ts'
import { type CheckedDatabase, rowsByStatus } from '../../shared/checked-database.ts'
import { refuseMissing } from '../connection/create-file.ts'
import { openForInspection, prepareRows } from '../connection/database.ts'
import { expectedSchema, schemaObjects } from '../schema/schema-objects.ts'
import { beginSnapshot, counters } from './snapshot.ts'
import { findWrongWords } from './wrong-words.ts'
import { refuseUnusable } from '../schema/refuse-unusable.ts'

/** Opens a database for a check, read-only. */
export function openChecked(path: string, environment: Environment): CheckedDatabase {
  refuseMissing(path, ' to check')
  const db = beginSnapshot(openForInspection(path), path, (found) => refuseUnusable(found, path, environment))
  return {
    integrity: async () => checkIntegrity(db),
    schema: async () => ({ expected: expectedSchema(), found: schemaObjects(db) }),
    async *query(sql) {
      yield* prepareRows<Row>(db, sql).iterate()
    },
    counters: `SELECT name, last FROM ${counters}`,
    categoryCounts: rowsByStatus('category_counts', 'category_id,'),
    totals: rowsByStatus('pet_totals'),
    wrongWords: () => findWrongWords(db),
    async close() {
      db.close()
    },
  }
}

/** Finds damage in the files. */
export function checkIntegrity(db: DatabaseSync): { found: string[] } {
  try {
    const found = db.prepare('PRAGMA integrity_check(20)').all().flatMap(Object.values) as string[]
    return { found: found.filter((message) => message !== 'ok').map((message) => `SQLite finds: ${message}.`) }
  } catch (error) {
    return { found: [`SQLite cannot read the file: ${(error as Error).message}.`] }
  }
}
