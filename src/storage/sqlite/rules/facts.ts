import type { DatabaseSync } from 'node:sqlite'
import { maxNewCategoryId } from '../../../inventory/rules/create-category.ts'
import type { Facts } from '../../../inventory/rules/facts.ts'
import type { Row } from '../../../inventory/snapshot.ts'
import { type CounterName, forEachResource } from '../../../inventory/tables.ts'
import { idempotencyColumns, type IdempotencyRow, toStoredResponse } from '../../shared/rows/idempotency-row.ts'
import { keyColumns, type KeyRow, toKey } from '../../shared/rows/key-row.ts'
import { resourceRows } from '../../shared/rows/resource-rows.ts'
import { decodeReadable } from '../../shared/rows/unreadable-row.ts'
import { prepareOneRow, prepareRows } from '../connection/database.ts'
import { oldestEventSql } from '../schema/events.ts'

/** Reads facts when a rule asks for them, inside a transaction of the writer. */
export function prepareFacts(db: DatabaseSync): Facts {
  const byId = forEachResource((table) =>
    prepareRows<Row>(db, `SELECT ${resourceRows[table].columns} FROM ${table} WHERE id = ?`),
  )
  const openOrder = db.prepare("SELECT 1 FROM orders WHERE pet_id = ? AND status = 'placed'")
  const petOfCategory = db.prepare('SELECT 1 FROM pets WHERE category_id = ? LIMIT 1')
  const highestCategory = prepareOneRow<[bigint | null]>(
    db,
    `SELECT max(id) FROM (
      SELECT max(id) AS id FROM categories WHERE id <= ?1
      UNION ALL SELECT max(category_id) FROM pets WHERE category_id <= ?1)`,
  )
  const key = prepareRows<KeyRow>(db, `SELECT ${keyColumns} FROM api_keys WHERE id = ?`)
  const adminKeys = prepareRows<KeyRow>(
    db,
    `SELECT ${keyColumns} FROM api_keys WHERE permission = 'admin' AND revoked_at IS NULL`,
  )
  const record = prepareRows<IdempotencyRow>(
    db,
    `SELECT ${idempotencyColumns} FROM idempotency_records WHERE key_id = ? AND name = ?`,
  )
  // AUTOINCREMENT stores the highest assigned id.
  const lastId = prepareRows<[bigint]>(db, 'SELECT seq FROM sqlite_sequence WHERE name = ?')

  const oldestEvent = prepareOneRow<[bigint]>(db, oldestEventSql)
  const laterEvent = db.prepare("SELECT 1 FROM events WHERE pet_id = ? AND type <> 'pet.created' LIMIT 1")
  const rowCount = { webhooks: prepareOneRow<[bigint]>(db, 'SELECT count(*) FROM webhooks') }

  function lastIdOf(name: CounterName): bigint {
    return lastId.get(name)?.[0] ?? 0n
  }

  return {
    find(table, id) {
      const row = byId[table].get(id)
      return row && resourceRows[table].toItem(row)
    },
    nextId: (table) => lastIdOf(table) + 1n,
    lastEventId: () => lastIdOf('events'),
    oldestEventId: () => oldestEvent.get()[0],
    isChanged: (petId) => laterEvent.get(petId) !== undefined,
    countRows: (table) => Number(rowCount[table].get()[0]),
    hasOpenOrder: (petId) => openOrder.get(petId) !== undefined,
    hasPets: (categoryId) => petOfCategory.get(categoryId) !== undefined,
    highestCategoryId: () => highestCategory.get(maxNewCategoryId)[0] ?? undefined,
    key(id) {
      const row = key.get(id)
      return row && toKey(row)
    },
    adminKeys: () => decodeReadable(adminKeys.all(), toKey),
    storedResponse({ keyId, name }) {
      const row = record.get(keyId, name)
      return row && toStoredResponse(row)
    },
  }
}
