import type { DatabaseSync } from 'node:sqlite'
import { type Change, eventOf } from '../../../inventory/rules/change.ts'
import { toNewKeyRow } from '../../shared/rows/key-row.ts'
import { orderColumns, toOrderRow } from '../../shared/rows/order-row.ts'
import { petColumns, toPetRow } from '../../shared/rows/pet-row.ts'
import { type PetCounts, petTable } from '../schema/counts.ts'
import { prepareNameIndex } from '../schema/name-index.ts'

/** Stores a change of a rule and its event, inside a transaction of the writer. */
export type StoreChange = (change: Change) => void

export function prepareStoreChange(db: DatabaseSync, counts: PetCounts): StoreChange {
  const nameIndex = prepareNameIndex(db)
  const insertPet = db.prepare(`INSERT INTO ${petTable} (${petColumns}) VALUES (?, ?, ?, ?)`)
  // The id may exceed a number.
  insertPet.setReadBigInts(true)
  const updatePet = db.prepare(`UPDATE ${petTable} SET name = ?, category_id = ?, status = ? WHERE id = ?`)
  // For orders. It does not touch the index by category.
  const updateStatus = db.prepare(`UPDATE ${petTable} SET status = ? WHERE id = ?`)
  const deletePet = db.prepare(`DELETE FROM ${petTable} WHERE id = ?`)
  const insertOrder = db.prepare(`INSERT INTO orders (${orderColumns}) VALUES (?, ?, ?, ?, ?, ?, ?)`)
  const closeOrder = db.prepare('UPDATE orders SET status = ?, updated_at = ?, customer = ?, note = ? WHERE id = ?')
  // It leaves the indexes by status alone.
  const describeOrder = db.prepare('UPDATE orders SET customer = ?, note = ? WHERE id = ?')
  const putCategory = db.prepare(
    'INSERT INTO categories (id, name) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET name = excluded.name',
  )
  const deleteCategory = db.prepare('DELETE FROM categories WHERE id = ?')
  const insertKey = db.prepare(`
    INSERT INTO api_keys (id, name, permission, hash, created_at, expires_at) VALUES (?, ?, ?, ?, ?, ?)`)
  const endKey = db.prepare('UPDATE api_keys SET expires_at = ?, revoked_at = ? WHERE id = ?')
  const putAnswer = db.prepare('INSERT OR REPLACE INTO attempts VALUES (?, ?, ?, ?, ?)')
  const insertEvent = db.prepare('INSERT INTO events (type, subject, at, data, author) VALUES (?, ?, ?, ?, ?)')

  function store(change: Change): void {
    switch (change.type) {
      case 'pet.created':
        insertPet.run(...toPetRow(change.pet))
        counts.add(change.pet.categoryId, change.pet.status)
        nameIndex.add(change.pet.id, change.pet.name)
        break
      case 'pet.updated': {
        const { before, pet } = change
        const isOnlyStatus = pet.name === before.name && pet.categoryId === before.categoryId
        if (isOnlyStatus) updateStatus.run(pet.status ?? null, pet.id)
        else updatePet.run(pet.name, pet.categoryId, pet.status ?? null, pet.id)
        counts.remove(before.categoryId, before.status)
        counts.add(pet.categoryId, pet.status)
        if (pet.name !== before.name) {
          nameIndex.remove(pet.id)
          nameIndex.add(pet.id, pet.name)
        }
        break
      }
      case 'pet.deleted':
        deletePet.run(change.pet.id)
        nameIndex.remove(change.pet.id)
        counts.remove(change.pet.categoryId, change.pet.status)
        break
      case 'order.placed':
        insertOrder.run(...toOrderRow(change.order))
        break
      case 'order.completed':
      case 'order.cancelled': {
        const { id, status, customer, note } = change.order
        closeOrder.run(status, change.at, customer ?? null, note ?? null, id)
        break
      }
      case 'order.described':
        describeOrder.run(change.order.customer ?? null, change.order.note ?? null, change.order.id)
        break
      case 'category.put':
        putCategory.run(change.category.id, change.category.name)
        break
      case 'category.removed':
        deleteCategory.run(change.id)
        break
      case 'key.created':
        insertKey.run(...toNewKeyRow(change.key))
        break
      case 'key.ended':
        endKey.run(change.key.expiresAt ?? null, change.key.revokedAt ?? null, change.key.id)
        break
      case 'request.answered': {
        const { key, body, at } = change
        putAnswer.run(key.keyId, key.name, key.fingerprint, body, at)
      }
    }
  }

  return (change) => {
    store(change)
    const event = eventOf(change)
    if (event === undefined) return
    const { type, subject, at, data, author } = event
    insertEvent.run(type, subject, at, data, author ?? null)
  }
}
