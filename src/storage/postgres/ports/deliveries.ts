import { unavailable } from '../../../inventory/errors.ts'
import { type Deliveries, type DeliveryLease, maxTriesPerWebhook } from '../../../inventory/deliveries.ts'
import { hasEventSql } from '../../shared/reads/lineage.ts'
import { boundOf, toPage } from '../../shared/reads/page.ts'
import {
  deletePositionsSql,
  type FailingRow,
  failingSql,
  highestEvent,
  type PositionRow,
  positionColumns,
  positionsToDeleteSql,
  replacePosition,
  toFailing,
  toPosition,
  toPositionRow,
  toTry,
  toTryValues,
  type TryRow,
  toUnattendedSince,
  tryColumns,
  tryRowSql,
  type UnattendedRow,
  unattendedSql,
} from '../../shared/rows/delivery-row.ts'
import type { Result, Statement } from '../connection/statement.ts'
import { isTransient, RolledBack } from '../connection/errors.ts'
import type { ReconnectingSession } from '../connection/reconnecting-session.ts'
import type { Readers } from '../reads/readers.ts'
import { counter } from '../schema/counters.ts'
import { runWrites } from '../writes/transaction.ts'

const now = '(extract(epoch FROM clock_timestamp()) * 1000)::int8'
const insertTries = `INSERT INTO delivery_tries (${tryColumns.join(', ')})`
const tryTypes = ['int8', 'int8', 'text', 'int8', 'int8', 'int8', 'int8', 'text', 'text', 'int8']
const positionTypes = ['int8', 'int8', 'int8', 'int8', 'int8']
const triesOf = `SELECT ${tryRowSql} FROM delivery_tries WHERE webhook_id = $1 AND id`

const statements = {
  isFree: { name: 'lease_is_free', text: `SELECT expires_at <= ${now} OR holder = $1 FROM delivery_lease` },
  acquire: {
    name: 'lease_acquire',
    text: `UPDATE delivery_lease SET holder = $1, generation = generation + 1, expires_at = ${now} + $2::int8
      WHERE expires_at <= ${now} OR holder = $1 RETURNING generation`,
  },
  renew: {
    name: 'lease_renew',
    text: `UPDATE delivery_lease SET expires_at = ${now} + $3::int8 WHERE holder = $1 AND generation = $2`,
  },
  // The lock of the row of the lease orders this and `acquire`: whoever comes second sees what the first has done.
  record: {
    name: 'record_deliveries',
    text: `WITH
      lease AS (
        UPDATE delivery_lease SET expires_at = ${now} + $3::int8
          WHERE holder = $1 AND generation = $2 AND ${hasEventSql(`(${counter('events')})`, '$4::text', '$5::int8')}
          RETURNING 1),
      moved AS (
        INSERT INTO delivery_positions (${positionColumns.join(', ')})
          SELECT given.* FROM lease, ${unnest(positionTypes, 6)} AS given
          ON CONFLICT (webhook_id) DO UPDATE SET ${replacePosition}),
      tried AS (
        ${insertTries} SELECT given.* FROM lease, ${unnest(tryTypes, 6 + positionTypes.length)} AS given)
      SELECT count(*) FROM lease`,
  },
  addTry: {
    name: 'add_delivery_try',
    text: `${insertTries} VALUES (${tryColumns.map((_, index) => `$${index + 1}`).join(', ')}) RETURNING id`,
  },
  positions: { name: 'delivery_positions', text: `SELECT ${positionColumns.join(', ')} FROM delivery_positions` },
  failing: { name: 'failing_webhooks', text: failingSql },
  unattended: { name: 'unattended_deliveries', text: unattendedSql(now) },
  list: { name: 'delivery_tries', text: `${triesOf} < $2 ORDER BY id DESC LIMIT $3` },
  find: { name: 'delivery_try', text: `${triesOf} = $2` },
  forget: {
    name: 'forget_delivery_tries',
    text: `DELETE FROM delivery_tries USING unnest($1::int8[]) AS given (webhook_id),
      LATERAL (
        SELECT id FROM delivery_tries AS latest WHERE latest.webhook_id = given.webhook_id
          ORDER BY id DESC LIMIT 1 OFFSET ${maxTriesPerWebhook}) AS surplus
      WHERE delivery_tries.webhook_id = given.webhook_id AND delivery_tries.id <= surplus.id`,
  },
  forgetOld: {
    name: 'forget_old_delivery_tries',
    text: `DELETE FROM delivery_tries WHERE id IN (
      SELECT id FROM delivery_tries WHERE at < $1 ORDER BY at LIMIT 5000)`,
  },
  hasOld: {
    name: 'has_old_deliveries',
    text: `SELECT EXISTS (SELECT 1 FROM delivery_tries WHERE at < $1) OR EXISTS (${positionsToDeleteSql})`,
  },
  forgetPositions: { name: 'forget_delivery_positions', text: deletePositionsSql },
} satisfies Record<string, Statement>

/**
 * Writes on a connection of its own, which is opened by the first write: these writes need no lock of the counters, and
 * no write or read of the shop waits for them.
 */
export function postgresDeliveries({ read }: Readers, link: ReconnectingSession): Deliveries {
  async function write(statement: Statement, values: readonly unknown[]): Promise<Result> {
    try {
      const [result] = await link.use((session) => runWrites(session, [[statement, values]]))
      return result as Result
    } catch (failure) {
      const error = failure instanceof RolledBack ? failure.cause : failure
      throw isTransient(error) ? unavailable('Deliveries cannot be stored right now.', error) : error
    }
  }

  async function renew({ holder, generation }: DeliveryLease, leaseMs: number): Promise<boolean> {
    const { rowCount } = await write(statements.renew, [holder, generation, leaseMs])
    return rowCount === 1
  }

  return {
    async acquire(holder, leaseMs) {
      const [[isFree] = [false]] = (await read(statements.isFree, [holder])).rows as [boolean][]
      if (!isFree) return undefined
      const { rows } = await write(statements.acquire, [holder, leaseMs])
      const [row] = rows as [bigint][]
      return row && { holder, generation: row[0] }
    },
    renew,
    async release(lease) {
      await renew(lease, 0)
    },
    async record({ holder, generation }, leaseMs, { positions, tries, lineage }) {
      const { rows } = await write(statements.record, [
        holder,
        generation,
        leaseMs,
        lineage ?? null,
        highestEvent(positions),
        ...columnsOf(positionTypes.length, positions.map(toPositionRow)),
        ...columnsOf(tryTypes.length, tries.map(toTryValues)),
      ])
      return (rows[0] as [bigint])[0] === 1n
    },
    async positions() {
      const { rows } = await read(statements.positions)
      return (rows as PositionRow[]).map(toPosition)
    },
    async failing() {
      const { rows } = await read(statements.failing)
      return toFailing(rows as FailingRow[])
    },
    async unattendedSince() {
      const { rows } = await read(statements.unattended)
      return toUnattendedSince(rows[0] as UnattendedRow | undefined)
    },
    async addTry(attempt) {
      const { rows } = await write(statements.addTry, toTryValues(attempt))
      return (rows[0] as [bigint])[0]
    },
    async list(webhookId, limit, before = 0n) {
      const { rows } = await read(statements.list, [webhookId, boundOf('-id', before), limit + 1])
      return toPage(rows as TryRow[], limit, toTry)
    },
    async find(webhookId, id) {
      const { rows } = await read(statements.find, [webhookId, id])
      return rows[0] === undefined ? undefined : toTry(rows[0] as TryRow)
    },
    async forget(webhookIds) {
      await write(statements.forget, [webhookIds])
    },
    async forgetOld(before) {
      // A service without webhooks opens no connection for this.
      const [[isNeeded] = [false]] = (await read(statements.hasOld, [before])).rows as [boolean][]
      if (!isNeeded) return 0
      await write(statements.forgetPositions, [])
      return (await write(statements.forgetOld, [before])).rowCount ?? 0
    },
  }
}

/** Rows as parameters, one array for each column, the first of them `$first`. */
function unnest(types: readonly string[], first: number): string {
  return `unnest(${types.map((type, index) => `$${first + index}::${type}[]`).join(', ')})`
}

function columnsOf(count: number, rows: readonly (readonly unknown[])[]): unknown[][] {
  return Array.from({ length: count }, (_, column) => rows.map((row) => row[column]))
}
