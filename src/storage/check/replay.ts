import { encodePet } from '../../contract/pet.ts'
import { parseJson } from '../../contract/json.ts'
import type { Order } from '../../contract/order.ts'
import { resourceRows } from '../shared/rows/resource-rows.ts'
import type { Row } from '../../inventory/snapshot.ts'
import { petColumns, type PetRow, toPet } from '../shared/rows/pet-row.ts'
import type { CheckedDatabase } from '../shared/checked-database.ts'

type EventFacts = [id: bigint, type: string, subject: bigint, data: string]

/** Compares each animal with its latest event, and finds animals without a creation event. */
export async function* replayPets(db: CheckedDatabase): AsyncIterable<string> {
  const rows = db.query(latestEvents('pet', 'pets', petColumns)) as AsyncIterable<[...EventFacts, ...PetRow]>
  for await (const [id, type, subject, data, ...row] of rows) {
    const pet = (row[0] as bigint | null) === null ? undefined : encodePet(toPet(row))
    const expected = type === 'pet.deleted' ? undefined : data
    if (pet !== expected) yield difference(`Event ${id} (${type})`, `the animal ${subject}`, expected, pet)
  }
  for await (const [id] of db.query(withoutEvent('pets', 'pet.created'))) {
    yield `The animal ${id} was added without an event.`
  }
}

/** The same for orders, which are never deleted. */
export async function* replayOrders(db: CheckedDatabase): AsyncIterable<string> {
  const { columns, toItem } = resourceRows.orders
  const rows = db.query(latestEvents('order', 'orders', columns)) as AsyncIterable<[...EventFacts, ...Row]>
  for await (const [id, type, subject, data, ...row] of rows) {
    const order = row[0] === null ? undefined : comparable(toItem(row))
    const expected = comparable(parseJson(data) as Order)
    if (order !== expected) yield difference(`Event ${id} (${type})`, `the order ${subject}`, expected, order)
  }
  for await (const [id] of db.query(withoutEvent('orders', 'order.placed'))) {
    yield `The order ${id} was placed without an event.`
  }
}

/** The members that change only with an event. */
function comparable({ petId, status, placedAt }: Order): string {
  return `{"petId":${petId},"status":"${status}","placedAt":"${placedAt}"}`
}

function difference(event: string, what: string, expected: string | undefined, found: string | undefined): string {
  if (expected === undefined) return `${event} says that ${what} was deleted, but it exists.`
  if (found === undefined) return `${event} is about ${what}, which does not exist.`
  return `${event} says that ${what} is ${expected}, but it is ${found}.`
}

function latestEvents(kind: string, table: string, columns: string): string {
  const found = columns
    .split(', ')
    .map((column) => `found.${column}`)
    .join(', ')
  return `
    SELECT events.id, events.type, events.subject, events.data, ${found}
      FROM (SELECT max(id) AS id FROM events WHERE type LIKE '${kind}.%' GROUP BY subject) AS latest
      JOIN events ON events.id = latest.id
      LEFT JOIN ${table} AS found ON found.id = events.subject
    ORDER BY events.subject`
}

/** Ids and events are assigned in the same order, so everything newer than the first stored event has one. */
function withoutEvent(table: string, type: string): string {
  const withEvent = `SELECT subject FROM events WHERE type = '${type}'`
  return `
    SELECT id FROM ${table} WHERE id >= (SELECT min(subject) FROM (${withEvent}) AS with_event)
    EXCEPT ${withEvent}
    ORDER BY 1`
}
