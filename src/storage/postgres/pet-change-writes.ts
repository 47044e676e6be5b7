import type { Pet, PetChange } from '../../contract/pet.ts'
import type { Refusal } from '../../inventory/pets.ts'
import type { Precondition } from '../../inventory/precondition.ts'
import { oneByOne } from './batch.ts'
import { isCounter } from './counters.ts'
import type { Result, Statement } from './database.ts'
import { countMoves } from './counts.ts'
import { isUnmet, petJson, preconditionValues } from './fragments.ts'
import { type PetRow, toPet } from '../shared/pet-row.ts'

export interface PetUpdate {
  id: bigint
  change: PetChange
  at: number
  precondition?: Precondition
}

export interface PetRemoval extends Omit<PetUpdate, 'change'> {}

const isOrdered = "EXISTS (SELECT 1 FROM orders WHERE pet_id = $1 AND status = 'placed')"

const update: Statement = {
  name: 'update_pet',
  text: `
    WITH before AS (
      SELECT id, name, category_id, status FROM pets WHERE id = $1
    ), after AS (
      SELECT id, coalesce($2::text, name) AS name, coalesce($3::int8, category_id) AS category_id,
        CASE WHEN $4::boolean THEN $5::text ELSE status END AS status FROM before
    ), verdict AS (
      SELECT CASE
        WHEN ${isUnmet(7, 'before', petJson('before'))} THEN 'unmet'
        WHEN coalesce(before.status, '') <> coalesce(after.status, '') AND ${isOrdered} THEN 'ordered'
        WHEN (before.name, before.category_id, coalesce(before.status, ''))
          = (after.name, after.category_id, coalesce(after.status, '')) THEN 'same'
        ELSE 'updated' END AS outcome
        FROM before, after
    ), changed AS (
      UPDATE pets SET name = after.name, category_id = after.category_id, status = after.status
        FROM after, verdict WHERE pets.id = after.id AND outcome = 'updated'
    ), counter AS (
      UPDATE counters SET last = last + 1 FROM verdict WHERE ${isCounter('events')} AND outcome = 'updated' RETURNING last
    ), ${countMoves({
      moves: `
      SELECT category_id, status, -1 AS animals FROM before, verdict WHERE outcome = 'updated'
      UNION ALL SELECT category_id, status, 1 FROM after, verdict WHERE outcome = 'updated'`,
      eventBefore: 'SELECT last - 1 FROM counter',
      events: '1',
    })}, told AS (
      INSERT INTO events (id, type, subject, at, data)
        SELECT last, 'pet.updated', after.id, $6::int8, ${petJson('after')} FROM after, counter
    )
    SELECT outcome, id, name, category_id, status FROM verdict, after`,
}

const remove: Statement = {
  name: 'remove_pet',
  text: `
    WITH before AS (
      SELECT id, name, category_id, status FROM pets WHERE id = $1
    ), verdict AS (
      SELECT CASE WHEN ${isUnmet(3, 'before', petJson('before'))} THEN 'unmet' WHEN ${isOrdered} THEN 'ordered' ELSE 'removed' END AS outcome
        FROM before
    ), removed AS (
      DELETE FROM pets USING verdict WHERE id = $1 AND outcome = 'removed'
    ), counter AS (
      UPDATE counters SET last = last + 1 FROM verdict WHERE ${isCounter('events')} AND outcome = 'removed' RETURNING last
    ), ${countMoves({
      moves: "SELECT category_id, status, -1 AS animals FROM before, verdict WHERE outcome = 'removed'",
      eventBefore: 'SELECT last - 1 FROM counter',
      events: '1',
    })}, told AS (
      INSERT INTO events (id, type, subject, at, data)
        SELECT last, 'pet.deleted', before.id, $2::int8, ${petJson('before')} FROM before, counter
    )
    SELECT outcome FROM verdict`,
}

/** What the writer does to animals that are there. Each runs inside a transaction of the writer's. */
export const petChangeWrites = {
  updatePet: oneByOne<PetUpdate, { outcome: 'updated'; pet: Pet } | Refusal>(
    update,
    ({ id, change, at, precondition }) => [
      id,
      change.name ?? null,
      change.categoryId ?? null,
      change.status !== undefined,
      change.status ?? null,
      at,
      ...preconditionValues(precondition),
    ],
    ({ rows }: Result) => {
      const [row] = rows as [outcome: string, ...PetRow][]
      if (row === undefined) return { outcome: 'missing' }
      const [outcome, ...pet] = row
      if (outcome === 'unmet' || outcome === 'ordered') return { outcome }
      return { outcome: 'updated', pet: toPet(pet) }
    },
  ),

  removePet: oneByOne<PetRemoval, { outcome: 'removed' } | Refusal>(
    remove,
    ({ id, at, precondition }) => [id, at, ...preconditionValues(precondition)],
    ({ rows }: Result) => {
      const [row] = rows as [outcome: 'removed' | 'unmet' | 'ordered'][]
      return { outcome: row?.[0] ?? 'missing' }
    },
  ),
}
