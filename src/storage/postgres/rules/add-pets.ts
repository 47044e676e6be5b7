import { indexedWords } from '../../../inventory/name-words.ts'
import type { Creation } from '../../../inventory/pets.ts'
import { type Change, eventOf } from '../../../inventory/rules/change.ts'
import { eventColumns } from '../../shared/rows/event-row.ts'
import { countMoves } from '../schema/counts.ts'
import { isCounter } from '../schema/counters.ts'
import type { Result, Statement } from '../connection/database.ts'
import type { BoundStatement } from '../connection/pipeline.ts'

/** The JSON of a pet before its id. */
const beforeId = '{"id":'

/** Adds pets whose ids are not known yet. `rest` is the JSON after the id. */
const add: Statement = {
  name: 'add_pets',
  text: `
    WITH input AS (
      SELECT * FROM unnest($1::int8[], $2::text[], $3::int8[], $4::text[], $5::text[], $6::text[], $7::int8[], $8::text[],
          $9::text[]) AS input (nth, name, category_id, status, type, rest, at, author, words)
    ), counter AS (
      UPDATE counters SET last = last + $10::int8 WHERE ${isCounter('pets', 'events')} RETURNING name, last - $10 AS before
    ), given AS (
      SELECT input.*, pets.before + nth AS id, events.before + nth AS event
        FROM input, counter AS pets, counter AS events WHERE pets.name = 'pets' AND events.name = 'events'
    ), added AS (
      INSERT INTO pets (id, name, category_id, status, words) SELECT id, name, category_id, status, words FROM given
    ), ${countMoves({
      moves: 'SELECT category_id, status, 1 AS animals FROM input',
      eventBefore: "SELECT before FROM counter WHERE name = 'events'",
      events: '$10',
    })}, added_events AS (
      INSERT INTO events (${eventColumns})
        SELECT event, type, id, at, '${beforeId}' || id || rest, author FROM given
    )
    SELECT before FROM counter WHERE name = 'pets'`,
}

/** Stores pets that were decided without facts: their ids count from 1. One statement for any number. */
export function addPets(changes: readonly Change[]): BoundStatement {
  const columns: unknown[][] = Array.from({ length: 9 }, () => [])
  for (const change of changes) {
    const event = eventOf(change)
    if (change.type !== 'pet.created' || event === undefined) throw new Error(`${change.type} needs facts`)
    const { id, name, categoryId, status } = change.pet
    const rest = event.data.slice(beforeId.length + String(id).length)
    const row = [id, name, categoryId, status, event.type, rest, event.at, event.author, indexedWords(name)]
    for (const [place, value] of row.entries()) columns[place]?.push(value)
  }
  return [add, [...columns, changes.length]]
}

/** The creation with the id of its pet, from the result of the statement. */
export function createdFrom({ rows }: Result, creation: Creation): Creation {
  if (creation.outcome !== 'created') return creation
  const [[before]] = rows as [[before: bigint]]
  return { outcome: 'created', pet: { ...creation.pet, id: before + creation.pet.id } }
}
