import { idempotencyRetentionMs } from '../../../inventory/rules/idempotency.ts'
import { deleteExpiredResponsesSql } from '../../shared/writes/expired-responses.ts'
import { oneByOne } from './batch.ts'

/** The writes of stored responses, apart from those of the rules. Each runs inside a transaction of the writer. */
export const responseWrites = {
  deleteExpiredResponses: oneByOne<{ now: number }, number>(
    { name: 'delete_expired_responses', text: deleteExpiredResponsesSql('$1::int8') },
    ({ now }) => [now - idempotencyRetentionMs],
    ({ rowCount }) => rowCount ?? 0,
  ),
}
