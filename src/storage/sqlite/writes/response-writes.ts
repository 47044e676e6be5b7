import type { DatabaseSync } from 'node:sqlite'
import { idempotencyRetentionMs } from '../../../inventory/rules/idempotency.ts'
import { deleteExpiredResponsesSql } from '../../shared/writes/expired-responses.ts'

/** The writes of stored responses, apart from those of the rules. Each runs inside a transaction of the writer. */
export function responseWrites(db: DatabaseSync) {
  const forget = db.prepare(deleteExpiredResponsesSql('?'))

  return {
    deleteExpiredResponses({ now }: { now: number }): number {
      return Number(forget.run(now - idempotencyRetentionMs).changes)
    },
  }
}
