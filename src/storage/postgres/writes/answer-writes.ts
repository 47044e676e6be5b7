import { idempotencyRetentionMs } from '../../../inventory/rules/idempotency.ts'
import { forgetAnswersSql } from '../../shared/writes/forget-answers.ts'
import { oneByOne } from './batch.ts'

/** The writes of stored responses, apart from those of the rules. Each runs inside a transaction of the writer. */
export const answerWrites = {
  forgetAnswers: oneByOne<{ now: number }, number>(
    { name: 'forget_answers', text: forgetAnswersSql('$1::int8') },
    ({ now }) => [now - idempotencyRetentionMs],
    ({ rowCount }) => rowCount ?? 0,
  ),
}
