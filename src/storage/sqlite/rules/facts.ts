import type { DatabaseSync } from 'node:sqlite'
import { maxNewCategoryId } from '../../../inventory/rules/create-category.ts'
import type { Facts } from '../../../inventory/rules/facts.ts'
import { idempotencyColumns, type IdempotencyRow, toStoredResponse } from '../../shared/rows/idempotency-row.ts'
import { keyColumns, type KeyRow, toKey } from '../../shared/rows/key-row.ts'
import { orderColumns, type OrderRow, toOrder } from '../../shared/rows/order-row.ts'
import { petColumns, type PetRow, toPet } from '../../shared/rows/pet-row.ts'
import { decodeReadable } from '../../shared/rows/unreadable-row.ts'
import { prepareRows } from '../connection/database.ts'

/** Reads facts when a rule asks for them, inside a transaction of the writer. */
export function prepareFacts(db: DatabaseSync): Facts {
  const pet = prepareRows(db, `SELECT ${petColumns} FROM pets WHERE id = ?`)
  const order = prepareRows(db, `SELECT ${orderColumns} FROM orders WHERE id = ?`)
  const openOrder = db.prepare("SELECT 1 FROM orders WHERE pet_id = ? AND status = 'placed'")
  const category = prepareRows(db, 'SELECT name FROM categories WHERE id = ?')
  const petOfCategory = db.prepare('SELECT 1 FROM pets WHERE category_id = ? LIMIT 1')
  const highestCategory = prepareRows(
    db,
    `SELECT max(id) FROM (
      SELECT max(id) AS id FROM categories WHERE id <= ?1
      UNION ALL SELECT max(category_id) FROM pets WHERE category_id <= ?1)`,
  )
  const key = prepareRows(db, `SELECT ${keyColumns} FROM api_keys WHERE id = ?`)
  const adminKeys = prepareRows(
    db,
    `SELECT ${keyColumns} FROM api_keys WHERE permission = 'admin' AND revoked_at IS NULL`,
  )
  const record = prepareRows(db, `SELECT ${idempotencyColumns} FROM idempotency_records WHERE key_id = ? AND name = ?`)
  // AUTOINCREMENT stores the highest assigned id.
  const lastId = prepareRows(db, 'SELECT seq FROM sqlite_sequence WHERE name = ?')

  function nextId(table: string): bigint {
    const [last] = (lastId.get(table) ?? [0n]) as unknown as [bigint]
    return last + 1n
  }

  return {
    pet(id) {
      const row = pet.get(id) as PetRow | undefined
      return row && toPet(row)
    },
    order(id) {
      const row = order.get(id) as OrderRow | undefined
      return row && toOrder(row)
    },
    category(id) {
      const row = category.get(id) as [name: string] | undefined
      return row && { id, name: row[0] }
    },
    hasOpenOrder: (petId) => openOrder.get(petId) !== undefined,
    hasPets: (categoryId) => petOfCategory.get(categoryId) !== undefined,
    highestCategoryId() {
      const [id] = highestCategory.get(maxNewCategoryId) as unknown as [bigint | null]
      return id ?? undefined
    },
    key(id) {
      const row = key.get(id) as KeyRow | undefined
      return row && toKey(row)
    },
    adminKeys: () => decodeReadable(adminKeys.all() as unknown as KeyRow[], toKey),
    storedResponse({ keyId, name }) {
      const row = record.get(keyId, name) as IdempotencyRow | undefined
      return row && toStoredResponse(row)
    },
    nextPetId: () => nextId('pets'),
    nextOrderId: () => nextId('orders'),
  }
}
