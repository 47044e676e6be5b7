import type { CountedRows } from '../../../inventory/rules/facts.ts'
import { counterNames, forEachResource, type ResourceTable } from '../../../inventory/tables.ts'
import { idempotencyColumns } from '../../shared/rows/idempotency-row.ts'
import { keyColumns } from '../../shared/rows/key-row.ts'
import { resourceRows } from '../../shared/rows/resource-rows.ts'
import type { Statement } from '../connection/statement.ts'
import { countsOf } from '../schema/counts.ts'
import { counter } from '../schema/counters.ts'
import { petOfEvent } from '../schema/events.ts'
import { oldestEventSql } from '../schema/events.ts'

// One statement per table for any number of writes. Parameters are columns.

export const counters: Statement = {
  name: 'counters',
  text: `SELECT ${counterNames.map((name) => `(${counter(name)})`).join(', ')}`,
}
const select = (table: ResourceTable) => `SELECT ${resourceRows[table].columns} FROM ${table}`

/** Rows by their ids. For pets and orders: the ids of pets, then those of orders, whose pets and open orders come too. */
export const load: Record<ResourceTable, Statement> = {
  ...forEachResource((table) => ({
    name: `${table}_of_group`,
    text: `${select(table)} WHERE id = ANY ($1::int8[])`,
  })),
  pets: {
    name: 'pets_of_group',
    text: `
      ${select('pets')} WHERE id = ANY ($1::int8[] || ARRAY(SELECT pet_id FROM orders WHERE id = ANY ($2::int8[])))`,
  },
  orders: {
    name: 'orders_of_group',
    text: `
      ${select('orders')} WHERE id = ANY ($2::int8[])
      UNION ALL SELECT open.* FROM unnest($1::int8[]) AS wanted (pet_id), LATERAL (
        ${select('orders')} WHERE pet_id = wanted.pet_id AND status = 'placed' LIMIT 1) AS open`,
  },
}
export const petCounts: Statement = {
  name: 'pet_counts_of_group',
  text: `
    SELECT id, coalesce((${countsOf('id', 'total')}), 0)
      FROM unnest($1::int8[]) AS wanted (id)`,
}
export const highestCategory: Statement = {
  name: 'highest_category',
  text: `
    SELECT greatest(
      (SELECT max(id) FROM categories WHERE id <= $1::int8),
      (SELECT max(category_id) FROM pets WHERE category_id <= $1))`,
}
export const oldestEvent: Statement = { name: 'oldest_event', text: oldestEventSql }
/** Those of these pets that have another event than that of their creation. The order is that of the index (lists.ts). */
export const changedPets: Statement = {
  name: 'changed_pets_of_group',
  text: `
    SELECT wanted.id FROM unnest($1::int8[]) AS wanted (id), LATERAL (
      SELECT 1 FROM events
        WHERE (${petOfEvent}, id) > (wanted.id, 0) AND ${petOfEvent} <= wanted.id AND type <> 'pet.created'
        ORDER BY ${petOfEvent}, id LIMIT 1) AS later`,
}
export const rowCounts: Record<CountedRows, Statement> = {
  webhooks: { name: 'count_webhooks', text: 'SELECT count(*) FROM webhooks' },
}
export const keys: Statement = {
  name: 'keys_of_group',
  text: `
    SELECT ${keyColumns} FROM api_keys
      WHERE id = ANY ($1::text[]) OR (permission = 'admin' AND revoked_at IS NULL)
        OR id = ANY (ARRAY(SELECT replaced_by FROM api_keys WHERE id = ANY ($1::text[])))`,
}
// LIMIT 1 makes every plan look up each key by itself: a cached plan made for few rows would later read all of them.
export const responses: Statement = {
  name: 'responses_of_group',
  text: `
    SELECT known.* FROM unnest($1::text[], $2::text[]) AS wanted (key_id, name), LATERAL (
      SELECT ${idempotencyColumns} FROM idempotency_records
        WHERE key_id = wanted.key_id AND name = wanted.name LIMIT 1) AS known`,
}
