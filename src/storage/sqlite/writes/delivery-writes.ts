import type { DatabaseSync } from 'node:sqlite'
import {
  type DeliveryLease,
  type DeliveryRecord,
  maxTriesPerWebhook,
  type NewDeliveryTry,
} from '../../../inventory/deliveries.ts'
import { hasEventSql } from '../../shared/reads/lineage.ts'
import {
  deletePositionsSql,
  highestEvent,
  positionColumns,
  replacePosition,
  toPositionRow,
  toTryValues,
  tryColumns,
} from '../../shared/rows/delivery-row.ts'
import { prepareOneRow, prepareRows } from '../connection/database.ts'
import { lastEvent } from '../schema/lineage.ts'
import { ofKind } from './write-kind.ts'

/** All processes with this database run on one machine, so its clock is the clock of the database. */
const now = "CAST(unixepoch('subsec') * 1000 AS INTEGER)"
/** Tries that one write deletes because of their age, so that other writes do not wait long. */
const maxDeletedTries = 5_000

/** The writes of deliveries, which apply no rule. Each runs inside a transaction of the writer. */
export function deliveryWrites(db: DatabaseSync) {
  const placeholders = (columns: readonly string[]) => columns.map(() => '?').join(', ')
  const acquire = prepareRows<[bigint]>(
    db,
    `UPDATE delivery_lease SET holder = ?1, generation = generation + 1, expires_at = ${now} + ?2
      WHERE ?3 OR holder = ?1 OR expires_at <= ${now} RETURNING generation`,
  )
  const renew = db.prepare(`UPDATE delivery_lease SET expires_at = ${now} + ? WHERE holder = ? AND generation = ?`)
  const hasEvent = prepareOneRow<[bigint | null]>(db, `SELECT ${hasEventSql(lastEvent, '?1', '?2')}`)
  const insertSql = `INSERT INTO delivery_tries (${tryColumns.join(', ')}) VALUES (${placeholders(tryColumns)})`
  const insertTry = db.prepare(insertSql)
  const insertOne = prepareOneRow<[bigint]>(db, `${insertSql} RETURNING id`)
  const move = db.prepare(
    `INSERT INTO delivery_positions (${positionColumns.join(', ')}) VALUES (${placeholders(positionColumns)})
      ON CONFLICT (webhook_id) DO UPDATE SET ${replacePosition}`,
  )
  const deleteSurplus = db.prepare(
    `DELETE FROM delivery_tries WHERE webhook_id = ?1 AND id <= (
      SELECT id FROM delivery_tries WHERE webhook_id = ?1 ORDER BY id DESC LIMIT 1 OFFSET ${maxTriesPerWebhook})`,
  )
  const deleteOld = db.prepare(
    `DELETE FROM delivery_tries WHERE id IN (
      SELECT id FROM delivery_tries WHERE at < ? ORDER BY at LIMIT ${maxDeletedTries})`,
  )
  const deletePositions = db.prepare(deletePositionsSql)

  function renewLease({ lease, leaseMs }: { lease: DeliveryLease; leaseMs: number }): boolean {
    return renew.run(leaseMs, lease.holder, lease.generation).changes === 1n
  }

  function addTry(attempt: NewDeliveryTry): bigint {
    return insertOne.get(...toTryValues(attempt))[0]
  }

  return ofKind('bookkeeping', {
    /** `isFirst`: takes the lease from whoever has it. */
    acquireDeliveryLease(input: { holder: string; leaseMs: number; isFirst: boolean }): bigint | undefined {
      return acquire.get(input.holder, input.leaseMs, input.isFirst ? 1 : 0)?.[0]
    },

    renewDeliveryLease: renewLease,

    recordDeliveries(input: { lease: DeliveryLease; leaseMs: number; record: DeliveryRecord }): boolean {
      const { positions, tries, lineage } = input.record
      const [isHeld] = hasEvent.get(lineage ?? null, highestEvent(positions))
      if (isHeld !== 1n || !renewLease(input)) return false
      for (const position of positions) move.run(...toPositionRow(position))
      for (const attempt of tries) insertTry.run(...toTryValues(attempt))
      return true
    },

    addDeliveryTry: addTry,

    forgetDeliveryTries(webhookIds: readonly bigint[]): void {
      for (const id of webhookIds) deleteSurplus.run(id)
    },

    forgetOldDeliveryTries(before: number): number {
      deletePositions.run()
      return Number(deleteOld.run(before).changes)
    },
  })
}
