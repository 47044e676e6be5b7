import { endedInvitationMs } from '../../../inventory/invitations.ts'
import { idempotencyRetentionMs } from '../../../inventory/rules/idempotency.ts'
import { endedImportMs } from '../../../inventory/stored-import.ts'
import { deleteExpiredResponsesSql, forgetImportsSql, forgetInvitationsSql } from '../../shared/writes/expired-rows.ts'
import { endInvitationsSql } from '../../shared/writes/copied-shop.ts'
import { type Forgetting, forgetEventsSql, forgetEventsValues } from '../../shared/writes/forget-events.ts'
import { oldestEventSql } from '../schema/events.ts'
import { oneByOne } from './batch.ts'

const [parts, requests, imports] = forgetImportsSql(oldestEventSql, '$1::int8')
const forgetImports = `
  WITH parts AS (${parts} RETURNING 1), requests AS (${requests} RETURNING 1), imports AS (${imports} RETURNING 1)
  SELECT (SELECT count(*) FROM parts) + (SELECT count(*) FROM requests) + (SELECT count(*) FROM imports)`

/** The writes of the maintenance, which apply no rule. Each runs inside a transaction of the writer. */
export const maintenanceWrites = {
  forgetEvents: oneByOne<Forgetting, number>(
    { name: 'forget_events', text: forgetEventsSql('$1::int8', '$2::int8', '$3::int8') },
    forgetEventsValues,
    ({ rowCount }) => rowCount ?? 0,
  ),

  deleteExpiredResponses: oneByOne<{ now: number }, number>(
    { name: 'delete_expired_responses', text: deleteExpiredResponsesSql('$1::int8') },
    ({ now }) => [now - idempotencyRetentionMs],
    ({ rowCount }) => rowCount ?? 0,
  ),

  endInvitations: oneByOne<{ now: number }, number>(
    { name: 'end_invitations', text: endInvitationsSql('$1::int8') },
    ({ now }) => [now],
    ({ rowCount }) => rowCount ?? 0,
  ),

  forgetInvitations: oneByOne<{ now: number }, number>(
    { name: 'forget_invitations', text: forgetInvitationsSql('$1::int8') },
    ({ now }) => [now - endedInvitationMs],
    ({ rowCount }) => rowCount ?? 0,
  ),

  forgetImports: oneByOne<{ now: number }, number>(
    { name: 'forget_imports', text: forgetImports },
    ({ now }) => [now - endedImportMs],
    ({ rows }) => Number((rows as [[bigint]])[0][0]),
  ),

  touchKeys: oneByOne<ReadonlyMap<string, number>, void>(
    {
      name: 'touch_keys',
      text: `
        UPDATE api_keys SET last_used_at = greatest(last_used_at, used.at)
          FROM unnest($1::text[], $2::int8[]) AS used (id, at) WHERE api_keys.id = used.id`,
    },
    (uses) => [[...uses.keys()], [...uses.values()]],
    () => undefined,
  ),
}
