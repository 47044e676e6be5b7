import type { Row } from '../../inventory/snapshot.ts'
import { countedTables } from '../../inventory/tables.ts'
import type { CheckedDatabase } from '../shared/checked-database.ts'
import { findContents, findMissing } from './contents.ts'
import { findWrongDays } from './days.ts'
import { findUnreadable } from './event-contents.ts'
import { replayOrders, replayPets } from './replay.ts'
import { findSchemaFaults } from './schema-faults.ts'

/** A rule that holds in every intact database. */
export interface Check {
  name: string
  /** The rule, as a sentence. */
  promise: string
  /** The violations, one sentence each. */
  find(db: CheckedDatabase): AsyncIterable<string>
}

export const checks: readonly Check[] = [
  {
    name: 'schema',
    promise: 'Tables, indexes and rules are those of this version.',
    find: findSchemaFaults,
  },
  {
    name: 'counts',
    promise: 'The counts agree with the animals.',
    async *find(db) {
      for await (const [status, counted, there, categoryId] of db.query(wrongCounts(db.categoryCounts))) {
        yield `Category ${categoryId} has a count of ${counted} animals with ${statusName(status)}, but contains ${there}.`
      }
      for await (const [status, counted, there] of db.query(wrongTotals(db.totals))) {
        yield `All categories together have a count of ${counted} animals with ${statusName(status)}, but contain ${there}.`
      }
    },
  },
  {
    name: 'days',
    promise: 'The counts of the days agree with the stored events.',
    find: findWrongDays,
  },
  {
    name: 'counters',
    promise: 'No id can be assigned twice.',
    async *find(db) {
      for await (const [name, last, highest] of db.query(countersTooLow(db.counters))) {
        yield `The counter of ${name} is at ${last}, below the id ${highest}, which is in use.`
      }
    },
  },
  {
    name: 'contents',
    promise: 'Every stored row can be read.',
    find: findContents,
  },
  {
    name: 'required rows',
    promise: 'The rows that every database has are there.',
    find: findMissing,
  },
  {
    name: 'event ids',
    promise: 'The stored events have no gaps.',
    async *find(db) {
      for await (const [id] of db.query(eventsAfterGaps)) yield `Event ${(id as bigint) - 1n} is missing.`
      for await (const [last, highest] of db.query(endOfEvents(db.counters))) {
        yield `The latest event should be ${last}, but the last stored one is ${highest}.`
      }
    },
  },
  {
    name: 'event contents',
    promise: 'Every stored event can be read.',
    find: findUnreadable,
  },
  {
    name: 'search index',
    promise: 'The search index agrees with the names of the animals.',
    find: (db) => db.wrongWords(),
  },
  {
    name: 'open orders',
    promise: 'No animal has two open orders.',
    async *find(db) {
      for await (const [petId, orders] of db.query(petsOrderedTwice)) {
        yield `The animal ${petId} has ${orders} open orders.`
      }
    },
  },
  {
    name: 'ordered animals',
    promise: 'Every animal with an open order is pending.',
    async *find(db) {
      for await (const [id, petId, found, status] of db.query(ordersWithoutPendingPet)) {
        const what = found === null ? 'does not exist' : `has ${statusName(status)}`
        yield `The order ${id} is open, but its animal ${petId} ${what}.`
      }
    },
  },
  {
    name: 'imports',
    promise: 'Imported animals belong to one import.',
    async *find(db) {
      for await (const [id] of db.query(partsWithoutImport)) yield `The animals up to ${id} belong to no import.`
      for await (const [id] of db.query(overlappingParts)) {
        yield `The animals up to ${id} begin with a wrong one, or belong to two parts.`
      }
    },
  },
  {
    name: 'events of animals',
    promise: 'The animals agree with the stored events.',
    find: replayPets,
  },
  {
    name: 'events of orders',
    promise: 'The orders agree with the stored events.',
    find: replayOrders,
  },
]

function statusName(status: Row[number] | undefined): string {
  return status === '' || status === null ? 'no status' : `the status ${status}`
}

// Adds up both sides instead of joining them: each may have millions of rows.
const sums = 'CAST(sum(counted) AS bigint), CAST(sum(there) AS bigint)'

function wrongCounts(stored: string): string {
  return `
    SELECT status, ${sums}, category_id FROM (
      SELECT category_id, status, animals AS counted, 0 AS there FROM (${stored}) AS stored
      UNION ALL SELECT category_id, coalesce(status, ''), 0, 1 FROM pets) AS both_sides
    GROUP BY category_id, status HAVING sum(counted) <> sum(there)
    ORDER BY category_id, status`
}

function wrongTotals(stored: string): string {
  return `
    SELECT status, ${sums} FROM (
      SELECT status, animals AS counted, 0 AS there FROM (${stored}) AS stored
      UNION ALL SELECT coalesce(status, ''), 0, 1 FROM pets) AS both_sides
    GROUP BY status HAVING sum(counted) <> sum(there)
    ORDER BY status`
}

function countersTooLow(counters: string): string {
  return `
    SELECT counters.name, counters.last, highest.id FROM (${counters}) AS counters JOIN (
      SELECT name, max(id) AS id FROM (
        ${countedTables.map((table) => `SELECT '${table}' AS name, max(id) AS id FROM ${table}`).join(' UNION ALL ')}
        UNION ALL SELECT 'pets', max(pet_id) FROM orders
        UNION ALL SELECT 'pets', max(id) FROM import_parts
        UNION ALL SELECT 'events', max(events_before) FROM imports
        UNION ALL SELECT 'pets', max(subject) FROM events WHERE type LIKE 'pet.%'
        UNION ALL SELECT 'orders', max(subject) FROM events WHERE type LIKE 'order.%'
        UNION ALL SELECT 'events', max(id) FROM events
        UNION ALL SELECT 'events', max(events_before) FROM lineages) AS ids
      GROUP BY name) AS highest ON highest.name = counters.name
    WHERE highest.id > counters.last`
}

const eventsAfterGaps = `
  SELECT id FROM events AS later WHERE id > (SELECT min(id) FROM events)
    AND NOT EXISTS (SELECT 1 FROM events AS earlier WHERE earlier.id = later.id - 1)
  ORDER BY id`

function endOfEvents(counters: string): string {
  return `
    SELECT counters.last, latest.id FROM (${counters}) AS counters
      JOIN (SELECT max(id) AS id FROM events) AS latest ON latest.id < counters.last
    WHERE counters.name = 'events'`
}

const partsWithoutImport = `
  SELECT id FROM import_parts WHERE import_id NOT IN (SELECT id FROM imports) ORDER BY id`

const overlappingParts = `
  SELECT id FROM (SELECT id, first_pet_id, lag(id) OVER (ORDER BY id) AS before FROM import_parts) AS parts
    WHERE first_pet_id > id OR first_pet_id <= before
  ORDER BY id`

const petsOrderedTwice = `
  SELECT pet_id, count(*) FROM orders WHERE status = 'placed' GROUP BY pet_id HAVING count(*) > 1 ORDER BY pet_id`

const ordersWithoutPendingPet = `
  SELECT orders.id, orders.pet_id, pets.id, pets.status FROM orders LEFT JOIN pets ON pets.id = orders.pet_id
    WHERE orders.status = 'placed' AND coalesce(pets.status, '') <> 'pending'
  ORDER BY orders.id`
