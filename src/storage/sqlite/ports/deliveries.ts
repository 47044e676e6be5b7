import type { DatabaseSync } from 'node:sqlite'
import type { Deliveries } from '../../../inventory/deliveries.ts'
import { boundOf, toPage } from '../../shared/reads/page.ts'
import {
  type FailingRow,
  failingSql,
  type PositionRow,
  positionColumns,
  toFailing,
  toPosition,
  toTry,
  type TryRow,
  toUnattendedSince,
  tryRowSql,
  type UnattendedRow,
  unattendedSql,
} from '../../shared/rows/delivery-row.ts'
import { prepareRows, readsOf } from '../connection/database.ts'
import type { Writer } from '../writes/writer.ts'

/** `mayTakeLease`: whether the first call of `acquire` takes the lease from whoever has it. */
export function sqliteDeliveries(reader: DatabaseSync, writer: Writer, mayTakeLease = true): Deliveries {
  const read = readsOf(reader)
  const positions = prepareRows<PositionRow>(reader, `SELECT ${positionColumns.join(', ')} FROM delivery_positions`)
  const tries = `SELECT ${tryRowSql} FROM delivery_tries WHERE webhook_id = ? AND id`
  const page = prepareRows<TryRow>(reader, `${tries} < ? ORDER BY id DESC LIMIT (? + 0)`)
  const one = prepareRows<TryRow>(reader, `${tries} = ?`)
  const failing = prepareRows<FailingRow>(reader, failingSql)
  const unattended = prepareRows<UnattendedRow>(reader, unattendedSql('(? + 0)'))
  let isFirst = mayTakeLease

  return {
    async acquire(holder, leaseMs) {
      const generation = await writer.write('acquireDeliveryLease', { holder, leaseMs, isFirst })
      isFirst = false
      return generation === undefined ? undefined : { holder, generation }
    },
    renew: (lease, leaseMs) => writer.write('renewDeliveryLease', { lease, leaseMs }),
    async release(lease) {
      await writer.write('renewDeliveryLease', { lease, leaseMs: 0 })
    },
    record: (lease, leaseMs, record) => writer.write('recordDeliveries', { lease, leaseMs, record }),
    positions: () => read(() => positions.all().map(toPosition)),
    failing: () => read(() => toFailing(failing.all())),
    unattendedSince: () =>
      read(() => {
        const now = Date.now()
        return toUnattendedSince(unattended.get(now, now))
      }),
    addTry: (attempt) => writer.write('addDeliveryTry', attempt),
    list: (webhookId, limit, before = 0n) =>
      read(() => {
        const rows = page.all(webhookId, boundOf('-id', before), limit + 1)
        return toPage(rows, limit, toTry)
      }),
    find: (webhookId, id) =>
      read(() => {
        const row = one.get(webhookId, id)
        return row && toTry(row)
      }),
    forget: (webhookIds) => writer.write('forgetDeliveryTries', webhookIds),
    forgetOld: (before) => writer.write('forgetOldDeliveryTries', before),
  }
}
