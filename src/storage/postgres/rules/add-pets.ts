import { indexedWords } from '../../../inventory/name-words.ts'
import { petMembers } from '../../../contract/pet.ts'
import type { Creation } from '../../../inventory/pets.ts'
import { type Change, eventOf } from '../../../inventory/rules/change.ts'
import { eventColumns } from '../../shared/rows/event-row.ts'
import { newPetColumns, petColumns, toPetRow } from '../../shared/rows/pet-row.ts'
import { countMoves } from '../schema/counts.ts'
import { countDays } from '../schema/day-counts.ts'
import { isCounter } from '../schema/counters.ts'
import type { BoundStatement, Result, Statement } from '../connection/statement.ts'
import { unnest } from '../connection/many-rows.ts'

/** The JSON of a pet before its id. */
const beforeId = '{"id":'

/** The columns of the input, of the pets and of their events. */
const columnCount = Object.keys(petMembers).length + 5
/** The parameter with the number of pets. */
const count = `$${columnCount + 1}`

/** Adds pets whose ids are not known yet. `rest` is the JSON after the id. */
const add: Statement = {
  name: 'add_pets',
  text: `
    WITH input AS (
      SELECT * FROM ${unnest(petMembers, ['text', 'text', 'int8', 'text', 'text'])}
        AS input (nth, ${newPetColumns}, type, rest, at, author, words)
    ), counter AS (
      UPDATE counters SET last = last + ${count}::int8 WHERE ${isCounter('pets', 'events')}
        RETURNING name, last - ${count} AS before
    ), given AS (
      SELECT input.*, pets.before + nth AS id, events.before + nth AS event
        FROM input, counter AS pets, counter AS events WHERE pets.name = 'pets' AND events.name = 'events'
    ), added AS (
      INSERT INTO pets (${petColumns}, words) SELECT ${petColumns}, words FROM given
    ), ${countMoves('SELECT category_id, status, 1 AS animals FROM input')},
    ${countDays('SELECT type, at, 1 AS number FROM input')}, added_events AS (
      INSERT INTO events (${eventColumns})
        SELECT event, type, id, at, '${beforeId}' || id || rest, author FROM given
    )
    SELECT before FROM counter WHERE name = 'pets'`,
}

/** Stores pets that were decided without facts: their ids count from 1. One statement for any number. */
export function addPets(changes: readonly Change[]): BoundStatement {
  const columns: unknown[][] = Array.from({ length: columnCount }, () => [])
  for (const change of changes) {
    const event = eventOf(change)
    if (change.type !== 'pet.created' || event === undefined) throw new Error(`${change.type} needs facts`)
    const { pet } = change
    const rest = event.data.slice(beforeId.length + String(pet.id).length)
    const row = [...toPetRow(pet), event.type, rest, event.at, event.author, indexedWords(pet.name)]
    for (const [index, value] of row.entries()) columns[index]?.push(value)
  }
  return [add, [...columns, changes.length]]
}

/** The creation with the id of its pet, from the result of the statement. */
export function createdFrom({ rows }: Result, creation: Creation): Creation {
  if (creation.outcome !== 'created') return creation
  const [[before]] = rows as [[before: bigint]]
  return { outcome: 'created', pet: { ...creation.pet, id: before + creation.pet.id } }
}
