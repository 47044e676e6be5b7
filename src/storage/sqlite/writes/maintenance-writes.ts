import type { DatabaseSync } from 'node:sqlite'
import { endedInvitationMs } from '../../../inventory/invitations.ts'
import { idempotencyRetentionMs } from '../../../inventory/rules/idempotency.ts'
import { endedImportMs } from '../../../inventory/stored-import.ts'
import { deleteExpiredResponsesSql, forgetImportsSql, forgetInvitationsSql } from '../../shared/writes/expired-rows.ts'
import { endInvitationsSql } from '../../shared/writes/copied-shop.ts'
import { prepareOneRow } from '../connection/database.ts'
import { oldestEventSql } from '../schema/events.ts'
import { type Forgetting, forgetEventsSql, forgetEventsValues } from '../../shared/writes/forget-events.ts'

/** The writes of the maintenance, which apply no rule. Each runs inside a transaction of the writer. */
export function maintenanceWrites(db: DatabaseSync) {
  const forgetEvents = db.prepare(forgetEventsSql('?1', '?2', '?3'))
  const deleteExpired = db.prepare(deleteExpiredResponsesSql('?'))
  const endInvitations = db.prepare(endInvitationsSql('?'))
  const forgetInvitations = db.prepare(forgetInvitationsSql('?'))
  const oldestEvent = prepareOneRow<[bigint]>(db, oldestEventSql)
  const [parts, requests, imports] = forgetImportsSql('?1', '?2')
  const forgetParts = [parts, requests].map((sql) => db.prepare(sql))
  const forgetImports = db.prepare(imports)
  const touchKey = db.prepare('UPDATE api_keys SET last_used_at = max(ifnull(last_used_at, 0), ?) WHERE id = ?')

  return {
    forgetEvents(forgetting: Forgetting): number {
      return Number(forgetEvents.run(...forgetEventsValues(forgetting)).changes)
    },

    deleteExpiredResponses({ now }: { now: number }): number {
      return Number(deleteExpired.run(now - idempotencyRetentionMs).changes)
    },

    endInvitations({ now }: { now: number }): number {
      return Number(endInvitations.run(now).changes)
    },

    forgetInvitations({ now }: { now: number }): number {
      return Number(forgetInvitations.run(now - endedInvitationMs).changes)
    },

    forgetImports({ now }: { now: number }): number {
      const [oldest] = oldestEvent.get()
      const changes = [
        ...forgetParts.map((statement) => statement.run(oldest)),
        forgetImports.run(oldest, now - endedImportMs),
      ]
      return changes.reduce((sum, { changes }) => sum + Number(changes), 0)
    },

    touchKeys(uses: ReadonlyMap<string, number>): void {
      for (const [id, at] of uses) touchKey.run(at, id)
    },
  }
}
