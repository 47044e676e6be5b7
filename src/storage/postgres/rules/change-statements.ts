import { eventColumns } from '../../shared/rows/event-row.ts'
import { orderMembers } from '../../../contract/order.ts'
import { petMembers } from '../../../contract/pet.ts'
import { counterNames, forEachResource, resources } from '../../../inventory/tables.ts'
import { idempotencyColumns } from '../../shared/rows/idempotency-row.ts'
import { changedKeyColumns, newKeyColumns } from '../../shared/rows/key-row.ts'
import { newPetColumns, petColumns } from '../../shared/rows/pet-row.ts'
import { resourceRows } from '../../shared/rows/resource-rows.ts'
import { isCounter } from '../schema/counters.ts'
import { countMoves } from '../schema/counts.ts'
import { countDays } from '../schema/day-counts.ts'
import type { Statement } from '../connection/statement.ts'
import { unnest } from '../connection/many-rows.ts'

const orderColumns = resourceRows.orders.columns

// One statement per table for any number of changes. Parameters are columns.

const raise = `CASE name ${counterNames.map((name, index) => `WHEN '${name}' THEN $${index + 1}::int8`).join(' ')} END`
/** The parameters are those of `counterNames`. */
export const raiseCounters: Statement = {
  name: 'raise_counters',
  text: `
    UPDATE counters SET last = last + ${raise} WHERE ${isCounter(...counterNames)} AND ${raise} > 0`,
}
export const insertPets: Statement = {
  name: 'insert_pets',
  text: `
    INSERT INTO pets (${petColumns}, words) SELECT * FROM ${unnest(petMembers, ['text'])}`,
}
export const updatePets: Statement = {
  name: 'update_pets',
  text: `
    UPDATE pets SET (${newPetColumns}, words) = ROW (${newPetColumns.replace(/\w+/g, 'after.$&')}, after.words)
      FROM ${unnest(petMembers, ['text'])} AS after (${petColumns}, words)
      WHERE pets.id = after.id`,
}
export const countPets: Statement = {
  name: 'count_pets',
  text: `
    WITH ${countMoves(
      'SELECT * FROM unnest($1::int8[], $2::text[], $3::int8[]) AS moves (category_id, status, animals)',
      { canEmpty: true },
    )} SELECT 1`,
}
export const insertOrders: Statement = {
  name: 'insert_orders',
  text: `
    INSERT INTO orders (${orderColumns}) SELECT * FROM ${unnest(orderMembers)}`,
}
export const updateOrders: Statement = {
  name: 'update_orders',
  text: `
    UPDATE orders SET (${orderColumns}) = ROW (${orderColumns.replace(/\w+/g, 'after.$&')})
      FROM ${unnest(orderMembers)} AS after (${orderColumns})
      WHERE orders.id = after.id`,
}
/** Adds rows, or replaces those with the same ids. */
export const put = forEachResource((table): Statement => {
  const { storedColumns: columns } = resourceRows[table]
  const derived = 'derived' in resources[table] ? ['text'] : []
  return {
    name: `put_${table}`,
    text: `
      INSERT INTO ${table} (${columns}) SELECT * FROM ${unnest(resources[table].members, derived)}
        ON CONFLICT (id) DO UPDATE SET (${columns}) = ROW (${columns.replace(/\w+/g, 'excluded.$&')})`,
  }
})
export const remove = forEachResource(
  (table): Statement => ({ name: `delete_${table}`, text: `DELETE FROM ${table} WHERE id = ANY ($1::int8[])` }),
)
export const insertKeys: Statement = {
  name: 'insert_keys',
  text: `
    INSERT INTO api_keys (${newKeyColumns})
      SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::int8[], $6::int8[])`,
}
export const updateKeys: Statement = {
  name: 'update_keys',
  text: `
    UPDATE api_keys SET (${changedKeyColumns}) = ROW (${changedKeyColumns.replace(/\w+/g, 'after.$&')})
      FROM unnest($1::text[], $2::text[], $3::int8[], $4::int8[], $5::text[]) AS after (id, ${changedKeyColumns})
      WHERE api_keys.id = after.id`,
}
export const insertEvents: Statement = {
  name: 'insert_events',
  text: `
    WITH ${countDays('SELECT *, 1 AS number FROM unnest($2::text[], $4::int8[]) AS counted (type, at)')}
    INSERT INTO events (${eventColumns})
      SELECT * FROM unnest($1::int8[], $2::text[], $3::int8[], $4::int8[], $5::text[], $6::text[])`,
}
export const putIdempotencyRecords: Statement = {
  name: 'put_idempotency_records',
  text: `
    INSERT INTO idempotency_records (${idempotencyColumns})
      SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::int8[])
      ON CONFLICT (key_id, name) DO UPDATE
        SET fingerprint = excluded.fingerprint, response = excluded.response, created_at = excluded.created_at`,
}
