import { decodePet, encodePet } from '../../contract/json.ts'
import type { NewPet } from '../../contract/pet.ts'
import type { IdempotencyKey } from '../../inventory/idempotency-key.ts'
import type { Creation } from '../../inventory/pets.ts'
import { idempotencyRetentionMs } from '../../inventory/rules/idempotency.ts'
import { forgetAttempts } from './idempotency.ts'
import type { Batch } from './batch.ts'
import { countMoves } from './counts.ts'
import { isCounter } from './counters.ts'
import type { Result, Statement } from './database.ts'

export interface PetCreation {
  pet: NewPet
  idempotencyKey?: IdempotencyKey
  at: number
}

/** What comes before the id in an animal as it is answered. */
const beforeId = '{"id":'

/**
 * Adds the animals of a whole group and says for each what its new id is, or what its attempt was answered before.
 *
 * The writer holds the counter's row by now. It was locked by a statement of its own: this one therefore sees all that was
 * committed before, by any instance, and the same attempt at two of them adds one animal. The same attempt twice in a
 * group does not come here. LIMIT 1 has each attempt looked up by its key: a plan that was made while there were few, and
 * is kept, would otherwise go through all of them later.
 */
const addPets: Statement = {
  name: 'add_pets',
  text: `
    WITH asked AS (
      SELECT asked.*, known.fingerprint AS known_fingerprint, known.answer AS known_answer
        FROM unnest($1::int8[], $2::text[], $3::int8[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::int8[])
          AS asked (place, name, category_id, status, key_id, attempt, fingerprint, rest, at)
        LEFT JOIN LATERAL (
          SELECT fingerprint, answer FROM attempts
            WHERE key_id = asked.key_id AND name = asked.attempt AND made_at > asked.at - $10::int8 LIMIT 1
        ) AS known ON true
    ), fresh AS (
      SELECT *, row_number() OVER (ORDER BY place) AS nth FROM asked WHERE known_answer IS NULL
    ), counter AS (
      UPDATE counters SET last = last + (SELECT count(*) FROM fresh) WHERE ${isCounter('pets', 'events')}
        RETURNING name, last - (SELECT count(*) FROM fresh) AS before
    ), given AS (
      SELECT fresh.*, pets.before + nth AS id, events.before + nth AS event, '${beforeId}' || pets.before + nth || rest AS answer
        FROM fresh, counter AS pets, counter AS events WHERE pets.name = 'pets' AND events.name = 'events'
    ), added AS (
      INSERT INTO pets (id, name, category_id, status) SELECT id, name, category_id, status FROM given
    ), ${countMoves({
      moves: 'SELECT category_id, status, 1 AS animals FROM fresh',
      eventBefore: "SELECT before FROM counter WHERE name = 'events'",
      events: '(SELECT count(*) FROM fresh)',
    })}, told AS (
      INSERT INTO events (id, type, subject, at, data) SELECT event, 'pet.created', id, at, answer FROM given
    ), remembered AS (
      INSERT INTO attempts (key_id, name, fingerprint, answer, made_at)
        SELECT key_id, attempt, fingerprint, answer, at FROM given WHERE key_id IS NOT NULL
        ON CONFLICT (key_id, name) DO UPDATE
          SET fingerprint = excluded.fingerprint, answer = excluded.answer, made_at = excluded.made_at
    )
    SELECT place, id, NULL, NULL FROM given
    UNION ALL SELECT place, NULL, known_fingerprint, known_answer FROM asked WHERE known_answer IS NOT NULL`,
}

type AddedRow = [place: bigint, id: bigint | null, fingerprint: string | null, answer: string | null]

/** What the writer does to animals. It runs inside a transaction of the writer's. */
export const petWrites = {
  createPet(creations: readonly PetCreation[]): Batch<Creation> {
    const { leaders, leaderOf } = withoutRepeats(creations)
    const attempts = leaders.filter(({ idempotencyKey }) => idempotencyKey !== undefined)
    const before = Math.max(...attempts.map(({ at }) => at)) - idempotencyRetentionMs
    return {
      statements: [
        [addPets, [...columnsOf(leaders), idempotencyRetentionMs]],
        ...(attempts.length === 0 ? [] : [[forgetAttempts, [before, 2 * attempts.length]] as const]),
      ],
      values(results) {
        const rows = (results[0] as Result).rows as AddedRow[]
        const found = new Map(rows.map((row) => [Number(row[0]), row]))
        return creations.map((creation, index) => {
          const leader = leaderOf[index] as number
          return toCreation(creation, leaders[leader] === creation, found.get(leader) as AddedRow, leaders[leader])
        })
      },
    }
  },
}

/** The first creation of each attempt, and for every creation which of those it is or repeats. */
function withoutRepeats(creations: readonly PetCreation[]): { leaders: PetCreation[]; leaderOf: number[] } {
  const leaders: PetCreation[] = []
  const byAttempt = new Map<string, number>()
  const leaderOf = creations.map((creation) => {
    const { idempotencyKey: key } = creation
    const name = key === undefined ? undefined : JSON.stringify([key.keyId, key.name])
    const known = name === undefined ? undefined : byAttempt.get(name)
    if (known !== undefined) return known
    if (name !== undefined) byAttempt.set(name, leaders.length)
    return leaders.push(creation) - 1
  })
  return { leaders, leaderOf }
}

function columnsOf(creations: readonly PetCreation[]): unknown[][] {
  const columns: unknown[][] = Array.from({ length: 9 }, () => [])
  for (const [place, { pet, idempotencyKey: key, at }] of creations.entries()) {
    const row = [
      place,
      pet.name,
      pet.categoryId,
      pet.status ?? null,
      key?.keyId ?? null,
      key?.name ?? null,
      key?.fingerprint ?? null,
      encodePet({ id: 0n, ...pet }).slice(beforeId.length + 1),
      at,
    ]
    for (const [index, value] of row.entries()) columns[index]?.push(value)
  }
  return columns
}

function toCreation(
  { pet, idempotencyKey: key }: PetCreation,
  isLeader: boolean,
  [, id, fingerprint, answer]: AddedRow,
  leader: PetCreation | undefined,
): Creation {
  if (id !== null && isLeader) return { outcome: 'created', pet: { id, ...pet } }
  if (key?.fingerprint !== (fingerprint ?? leader?.idempotencyKey?.fingerprint)) return { outcome: 'mismatch' }
  const first = id === null ? decodePet(answer ?? '') : { id, ...(leader ?? { pet }).pet }
  return { outcome: 'replayed', pet: first }
}
