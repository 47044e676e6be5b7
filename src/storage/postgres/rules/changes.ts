import type { Order } from '../../../contract/order.ts'
import type { Pet } from '../../../contract/pet.ts'
import { identityOf } from '../../../inventory/idempotency-key.ts'
import type { ApiKey, NewApiKey } from '../../../inventory/keys.ts'
import { indexedWords } from '../../../inventory/name-words.ts'
import { type ResponseStored, type Change, eventOf } from '../../../inventory/rules/change.ts'
import {
  type CounterName,
  counterNames,
  forEachResource,
  type ResourceTable,
  resourceTables,
} from '../../../inventory/tables.ts'
import type { Row } from '../../../inventory/snapshot.ts'
import { toIdempotencyRow } from '../../shared/rows/idempotency-row.ts'
import { toChangedKeyRow, toNewKeyRow } from '../../shared/rows/key-row.ts'
import { toPetRow } from '../../shared/rows/pet-row.ts'
import { resourceRows, toStoredRow } from '../../shared/rows/resource-rows.ts'
import * as sql from './change-statements.ts'
import type { BoundStatement, Statement } from '../connection/statement.ts'

/** The effect of all changes of a group on one row. */
interface Effect<Item> {
  /** Whether the group created it. */
  isNew: boolean
  /** Undefined if it was deleted. */
  item: Item | undefined
}

/** Stores the decisions about a group of writes, with their events, in a handful of statements. */
export function storeChanges(
  changes: readonly Change[],
  lastIds: Readonly<Record<CounterName, bigint>>,
): BoundStatement[] {
  const pets = new Map<bigint, Effect<Pet>>()
  const orders = new Map<bigint, Effect<Order>>()
  /** The rows of resources without events. Undefined: removed. */
  const others = forEachResource(() => new Map<bigint, Row | undefined>())
  const newKeys: NewApiKey[] = []
  const changedKeys = new Map<string, ApiKey>()
  const responses = new Map<string, ResponseStored>()
  const moves: (readonly [categoryId: bigint, status: string | undefined, pets: 1 | -1])[] = []
  const events: unknown[][] = []
  /** The highest id of each counted table. */
  const highest: Partial<Record<ResourceTable, bigint>> = { ...lastIds }

  for (const change of changes) {
    const event = eventOf(change)
    if (event !== undefined) {
      const { type, subject, at, data, author } = event
      events.push([lastIds.events + BigInt(events.length + 1), type, subject, at, data, author])
    }
    switch (change.type) {
      case 'pet.created':
        highest.pets = change.pet.id
        pets.set(change.pet.id, { isNew: true, item: change.pet })
        moves.push([change.pet.categoryId, change.pet.status, 1])
        break
      case 'pet.updated': {
        const { before, pet } = change
        pets.set(pet.id, { isNew: pets.get(pet.id)?.isNew ?? false, item: pet })
        moves.push([before.categoryId, before.status, -1], [pet.categoryId, pet.status, 1])
        break
      }
      case 'pet.deleted':
        pets.set(change.pet.id, { isNew: pets.get(change.pet.id)?.isNew ?? false, item: undefined })
        moves.push([change.pet.categoryId, change.pet.status, -1])
        break
      case 'order.placed':
        highest.orders = change.order.id
        orders.set(change.order.id, { isNew: true, item: change.order })
        break
      case 'order.completed':
      case 'order.cancelled':
      case 'order.described':
        orders.set(change.order.id, { isNew: orders.get(change.order.id)?.isNew ?? false, item: change.order })
        break
      case 'resource.put': {
        const { table, item } = change
        others[table].set(item.id, toStoredRow(table, item))
        if (item.id > (highest[table] ?? item.id)) highest[table] = item.id
        break
      }
      case 'resource.removed':
        others[change.table].set(change.id, undefined)
        break
      case 'key.created':
        newKeys.push(change.key)
        break
      case 'key.changed':
        changedKeys.set(change.key.id, change.key)
        break
      case 'response.stored':
        responses.set(identityOf(change.key), change)
    }
  }

  const raised = counterNames.map((name) =>
    name === 'events' ? BigInt(events.length) : (highest[name] ?? lastIds[name]) - lastIds[name],
  )
  return [
    ...(raised.some((by) => by > 0n) ? [[sql.raiseCounters, raised] as const] : []),
    ...forRows(sql.insertPets, itemsOf(pets, true).map(withWords)),
    ...forRows(sql.updatePets, itemsOf(pets, false).map(withWords)),
    ...forRows(sql.remove.pets, deletedOf(pets)),
    // Closes orders before it opens others: a pet has at most one open order.
    ...forRows(sql.updateOrders, itemsOf(orders, false).map(resourceRows.orders.toRow)),
    ...forRows(sql.insertOrders, itemsOf(orders, true).map(resourceRows.orders.toRow)),
    ...forRows(sql.countPets, moves),
    ...resourceTables.flatMap((table) => {
      const rows = [...others[table]]
      return [
        ...forRows(
          sql.put[table],
          rows.flatMap(([, row]) => (row === undefined ? [] : [row])),
        ),
        ...forRows(
          sql.remove[table],
          rows.flatMap(([id, row]) => (row === undefined ? [[id]] : [])),
        ),
      ]
    }),
    ...forRows(sql.insertKeys, newKeys.map(toNewKeyRow)),
    ...forRows(
      sql.updateKeys,
      [...changedKeys.values()].map((key) => [key.id, ...toChangedKeyRow(key)]),
    ),
    ...forRows(sql.insertEvents, events),
    ...forRows(
      sql.putIdempotencyRecords,
      [...responses.values()].map(({ key, body, at }) => toIdempotencyRow(key, body, at)),
    ),
  ]
}

function withWords(pet: Pet): unknown[] {
  return [...toPetRow(pet), indexedWords(pet.name)]
}

/** The statement with the columns of the rows as parameters; none if there is no row. */
function forRows(statement: Statement, rows: readonly (readonly unknown[])[]): BoundStatement[] {
  const columns = rows[0]?.map((_value, index) => rows.map((row) => row[index]))
  return columns === undefined ? [] : [[statement, columns]]
}

function itemsOf<Item>(effects: ReadonlyMap<bigint, Effect<Item>>, isNew: boolean): Item[] {
  return [...effects.values()].flatMap((effect) =>
    effect.isNew === isNew && effect.item !== undefined ? [effect.item] : [],
  )
}

/** The ids of deleted rows that existed before the group. */
function deletedOf(effects: ReadonlyMap<bigint, Effect<unknown>>): [id: bigint][] {
  return [...effects].flatMap(([id, { isNew, item }]) => (isNew || item !== undefined ? [] : [[id]]))
}
