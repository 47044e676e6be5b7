import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { newPetMembers, type Pet } from '../../../contract/pet.ts'
import { type Change, eventOf } from '../../../inventory/rules/change.ts'
import { forEachResource, type ResourceTable } from '../../../inventory/tables.ts'
import { idempotencyColumns, toIdempotencyRow } from '../../shared/rows/idempotency-row.ts'
import { changedKeyColumns, newKeyColumns, toChangedKeyRow, toNewKeyRow } from '../../shared/rows/key-row.ts'
import { newPetColumns, petColumns, toNewPetRow, toPetRow } from '../../shared/rows/pet-row.ts'
import { resourceRows, toStoredRow } from '../../shared/rows/resource-rows.ts'
import type { Counts } from '../schema/counts.ts'
import { prepareNameIndex } from '../schema/name-index.ts'

/** Stores a change of a rule and its event, inside a transaction of the writer. */
export type StoreChange = (change: Change) => void

export function prepareStoreChange(db: DatabaseSync, { pets: counts, days }: Counts): StoreChange {
  const nameIndex = prepareNameIndex(db)
  const insertPet = db.prepare(`INSERT INTO pets (${petColumns}) VALUES (${valuesOf(petColumns)})`)
  const updatePet = db.prepare(`UPDATE pets SET (${newPetColumns}) = (${valuesOf(newPetColumns)}) WHERE id = ?`)
  // For orders. It does not touch the index by category.
  const updateStatus = db.prepare(`UPDATE pets SET status = ? WHERE id = ?`)
  const deletePet = db.prepare(`DELETE FROM pets WHERE id = ?`)
  const { columns: orderColumns, toRow: toOrderRow } = resourceRows.orders
  const insertOrder = db.prepare(`INSERT INTO orders (${orderColumns}) VALUES (${valuesOf(orderColumns)})`)
  const updateOrder = db.prepare(`UPDATE orders SET (${orderColumns}) = (${valuesOf(orderColumns)}) WHERE id = ?`)
  const puts = forEachResource((table) => preparePut(db, table))
  const removals = forEachResource((table) => db.prepare(`DELETE FROM ${table} WHERE id = ?`))
  const insertKey = db.prepare(`INSERT INTO api_keys (${newKeyColumns}) VALUES (${valuesOf(newKeyColumns)})`)
  const updateKey = db.prepare(
    `UPDATE api_keys SET (${changedKeyColumns}) = (${valuesOf(changedKeyColumns)}) WHERE id = ?`,
  )
  const putIdempotencyRecord = db.prepare(
    `INSERT OR REPLACE INTO idempotency_records (${idempotencyColumns}) VALUES (${valuesOf(idempotencyColumns)})`,
  )
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
        if (isOnlyStatus(before, pet)) updateStatus.run(pet.status ?? null, pet.id)
        else updatePet.run(...toNewPetRow(pet), pet.id)
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
      case 'order.cancelled':
      case 'order.described':
        updateOrder.run(...toOrderRow(change.order), change.order.id)
        break
      case 'resource.put':
        puts[change.table].run(...toStoredRow(change.table, change.item))
        break
      case 'resource.removed':
        removals[change.table].run(change.id)
        break
      case 'key.created':
        insertKey.run(...toNewKeyRow(change.key))
        break
      case 'key.changed':
        updateKey.run(...toChangedKeyRow(change.key), change.key.id)
        break
      case 'response.stored': {
        const { key, body, at } = change
        putIdempotencyRecord.run(...toIdempotencyRow(key, body, at))
      }
    }
  }

  return (change) => {
    store(change)
    const event = eventOf(change)
    if (event === undefined) return
    const { type, subject, at, data, author } = event
    insertEvent.run(type, subject, at, data, author ?? null)
    days.add(type, at)
  }
}

/** Adds a row, or replaces the one with its id. */
export function preparePut(db: DatabaseSync, table: ResourceTable): StatementSync {
  const { storedColumns: columns } = resourceRows[table]
  return db.prepare(
    `INSERT INTO ${table} (${columns}) VALUES (${valuesOf(columns)})
      ON CONFLICT (id) DO UPDATE SET (${columns}) = (${columns.replace(/\w+/g, 'excluded.$&')})`,
  )
}

function isOnlyStatus(before: Pet, pet: Pet): boolean {
  return newPetMembers.every((name) => name === 'status' || pet[name] === before[name])
}

/** A parameter for each column of a list. */
function valuesOf(columns: string): string {
  return columns.replace(/\w+/g, '?')
}
