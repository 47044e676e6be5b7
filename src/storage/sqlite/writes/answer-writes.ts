import type { DatabaseSync } from 'node:sqlite'
import { idempotencyRetentionMs } from '../../../inventory/rules/idempotency.ts'
import { forgetAnswersSql } from '../../shared/writes/forget-answers.ts'

/** The writes of stored responses, apart from those of the rules. Each runs inside a transaction of the writer. */
export function answerWrites(db: DatabaseSync) {
  const forget = db.prepare(forgetAnswersSql('?'))

  return {
    forgetAnswers({ now }: { now: number }): number {
      return Number(forget.run(now - idempotencyRetentionMs).changes)
    },
  }
}
