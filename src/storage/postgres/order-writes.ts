import { decodeOrder } from '../../contract/json.ts'
import type { PetStatus } from '../../contract/pet.ts'
import type { IdempotencyKey } from '../../inventory/idempotency-key.ts'
import type { Orders, OrderUpdate, Placement } from '../../inventory/orders.ts'
import type { Precondition } from '../../inventory/precondition.ts'
import { idempotencyRetentionMs } from '../../inventory/rules/idempotency.ts'
import { forgetAttempts } from './idempotency.ts'
import { type Batch, oneByOne } from './batch.ts'
import { isCounter } from './counters.ts'
import type { Result, Statement } from './database.ts'
import { countMoves } from './counts.ts'
import { isUnmet, orderJson, petJson, preconditionValues } from './fragments.ts'
import { orderColumns, type OrderRow, toOrder } from '../shared/order-row.ts'

export interface OrderPlacement {
  petId: bigint
  idempotencyKey?: IdempotencyKey
  at: number
}

type Closing = Parameters<Orders['close']>[1]

export interface OrderClosing {
  id: bigint
  status: Closing
  precondition?: Precondition
  at: number
}

const petStatusAfter: Record<Closing, PetStatus> = { completed: 'sold', cancelled: 'available' }

const place: Statement = {
  name: 'place_order',
  text: `
    WITH known AS (
      SELECT fingerprint, answer FROM attempts WHERE key_id = $3::text AND name = $4::text AND made_at > $2::int8 - $6::int8
    ), pet AS (
      SELECT id, name, category_id, status FROM pets WHERE id = $1::int8
    ), verdict AS (
      SELECT CASE
        WHEN EXISTS (SELECT 1 FROM known) THEN 'known'
        WHEN NOT EXISTS (SELECT 1 FROM pet) THEN 'missing'
        WHEN NOT EXISTS (SELECT 1 FROM pet WHERE status = 'available') THEN 'taken'
        ELSE 'placed' END AS outcome
    ), taken AS (
      UPDATE pets SET status = 'pending' FROM verdict WHERE id = $1 AND outcome = 'placed'
        RETURNING pets.id, pets.name, pets.category_id, pets.status
    ), counter AS (
      UPDATE counters SET last = last + CASE name WHEN 'events' THEN 2 ELSE 1 END
        FROM verdict WHERE ${isCounter('orders', 'events')} AND outcome = 'placed' RETURNING name, last
    ), ${countMoves({
      moves: `
      SELECT category_id, 'available' AS status, -1 AS animals FROM taken
      UNION ALL SELECT category_id, 'pending', 1 FROM taken`,
      eventBefore: "SELECT last - 2 FROM counter WHERE name = 'events'",
      events: '2',
    })}, placed AS (
      INSERT INTO orders (id, pet_id, status, placed_at, updated_at)
        SELECT last, $1, 'placed', $2, $2 FROM counter WHERE name = 'orders' RETURNING ${orderColumns}
    ), answered AS (
      SELECT id, ${orderJson('placed')} AS answer FROM placed
    ), told AS (
      INSERT INTO events (id, type, subject, at, data)
        SELECT last - 1, 'pet.updated', taken.id, $2, ${petJson('taken')} FROM taken, counter WHERE counter.name = 'events'
        UNION ALL SELECT last, 'order.placed', answered.id, $2, answer FROM answered, counter WHERE counter.name = 'events'
    ), remembered AS (
      INSERT INTO attempts (key_id, name, fingerprint, answer, made_at)
        SELECT $3, $4, $5::text, answer, $2 FROM answered WHERE $3 IS NOT NULL
        ON CONFLICT (key_id, name) DO UPDATE
          SET fingerprint = excluded.fingerprint, answer = excluded.answer, made_at = excluded.made_at
    )
    SELECT outcome, (SELECT status FROM pet), (SELECT fingerprint FROM known),
      coalesce((SELECT answer FROM known), (SELECT answer FROM answered)) FROM verdict`,
}

type PlacedRow = [
  outcome: 'known' | 'missing' | 'taken' | 'placed',
  status: PetStatus | null,
  fingerprint: string | null,
  answer: string | null,
]

const close: Statement = {
  name: 'close_order',
  text: `
    WITH before AS (
      SELECT ${orderColumns} FROM orders WHERE id = $1
    ), verdict AS (
      SELECT CASE
        WHEN ${isUnmet(5, 'before', orderJson('before'))} THEN 'unmet'
        WHEN before.status <> 'placed' THEN 'closed'
        ELSE 'updated' END AS outcome
        FROM before
    ), closed AS (
      UPDATE orders SET status = $2, updated_at = $3::int8 FROM verdict WHERE id = $1 AND outcome = 'updated'
        RETURNING ${orderColumns}
    ), pet AS (
      SELECT pets.category_id, pets.status FROM pets, closed WHERE pets.id = closed.pet_id
    ), released AS (
      UPDATE pets SET status = $4 FROM closed WHERE pets.id = closed.pet_id
        RETURNING pets.id, pets.name, pets.category_id, pets.status
    ), counter AS (
      UPDATE counters SET last = last + 2 WHERE ${isCounter('events')} AND EXISTS (SELECT 1 FROM closed) RETURNING last
    ), ${countMoves({
      moves: 'SELECT category_id, status, -1 AS animals FROM pet UNION ALL SELECT category_id, status, 1 FROM released',
      eventBefore: 'SELECT last - 2 FROM counter',
      events: '2',
    })}, told AS (
      INSERT INTO events (id, type, subject, at, data)
        SELECT last - 1, 'pet.updated', released.id, $3, ${petJson('released')} FROM released, counter
        UNION ALL SELECT last, 'order.' || closed.status, closed.id, $3, ${orderJson('closed')} FROM closed, counter
    )
    SELECT outcome, ${orderColumns} FROM verdict, closed
    UNION ALL SELECT outcome, ${orderColumns} FROM verdict, before WHERE outcome <> 'updated'`,
}

/** What the writer does to orders. Each runs inside a transaction of the writer's. */
export const orderWrites = {
  placeOrder(placements: readonly OrderPlacement[]): Batch<Placement> {
    const sweeps = placements.filter(({ idempotencyKey }) => idempotencyKey !== undefined)
    const before = Math.max(...sweeps.map(({ at }) => at)) - idempotencyRetentionMs
    return {
      statements: [
        ...placements.map(({ petId, idempotencyKey, at }) => {
          const { keyId = null, name = null, fingerprint = null } = idempotencyKey ?? {}
          return [place, [petId, at, keyId, name, fingerprint, idempotencyRetentionMs]] as const
        }),
        ...(sweeps.length === 0 ? [] : [[forgetAttempts, [before, 2 * sweeps.length]] as const]),
      ],
      values: (results) =>
        placements.map(({ idempotencyKey }, index) =>
          toPlacement((results[index] as Result).rows[0] as PlacedRow, idempotencyKey),
        ),
    }
  },

  closeOrder: oneByOne<OrderClosing, OrderUpdate>(
    close,
    ({ id, status, at, precondition }) => [id, status, at, petStatusAfter[status], ...preconditionValues(precondition)],
    ({ rows }: Result) => {
      const [row] = rows as [outcome: 'updated' | 'unmet' | 'closed', ...OrderRow][]
      if (row === undefined) return { outcome: 'missing' }
      const [outcome, ...order] = row
      return outcome === 'unmet' ? { outcome } : { outcome, order: toOrder(order) }
    },
  ),
}

function toPlacement([outcome, status, fingerprint, answer]: PlacedRow, key: IdempotencyKey | undefined): Placement {
  switch (outcome) {
    case 'missing':
      return { outcome }
    case 'taken':
      return { outcome, status: status ?? undefined }
    case 'placed':
      return { outcome, order: decodeOrder(answer ?? '') }
    case 'known':
      if (key?.fingerprint !== fingerprint) return { outcome: 'mismatch' }
      return { outcome: 'replayed', order: decodeOrder(answer ?? '') }
  }
}
