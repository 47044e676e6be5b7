import type { DeliveryTry } from '../../../contract/delivery.ts'
import { lineageOfEventSql } from './event-row.ts'
import { type DeliveryPosition, type NewDeliveryTry, unattendedAfterMs } from '../../../inventory/deliveries.ts'

export const tryColumns = [
  'webhook_id',
  'event_id',
  'type',
  'at',
  'attempt',
  'status',
  'duration_ms',
  'error',
  'response_start',
  'next_attempt_at',
] as const

type TryValues = [
  webhookId: bigint,
  eventId: bigint | null,
  type: string,
  at: bigint | number,
  attempt: bigint | number,
  status: bigint | number | null,
  durationMs: bigint | number,
  error: string | null,
  responseStart: string | null,
  nextAttemptAt: bigint | number | null,
]

/** What is read of a try: also the lineage of its event. */
export type TryRow = [id: bigint, ...TryValues, lineage: string | null]

export const tryRowSql = `id, ${tryColumns.join(', ')}, ${lineageOfEventSql('delivery_tries.event_id')} AS lineage`

/** In the order of `tryColumns`. */
export function toTryValues(attempt: NewDeliveryTry): TryValues {
  const { webhookId, eventId, type, at, attempt: number, status, durationMs, error, responseStart } = attempt
  return [
    webhookId,
    eventId ?? null,
    type,
    at,
    number,
    status ?? null,
    durationMs,
    error ?? null,
    responseStart ?? null,
    attempt.nextAttemptAt ?? null,
  ]
}

export function toTry(row: TryRow): DeliveryTry {
  const [id, webhookId, eventId, type, at, attempt, status, durationMs, error, responseStart, ...rest] = row
  const [nextAttemptAt, lineage] = rest
  return {
    id,
    webhookId,
    ...(eventId !== null && { eventId }),
    ...(lineage !== null && { lineage }),
    type,
    at: Number(at),
    attempt: Number(attempt),
    ...(status !== null && { status: Number(status) }),
    durationMs: Number(durationMs),
    ...(error !== null && { error }),
    ...(responseStart !== null && { responseStart }),
    ...(nextAttemptAt !== null && { nextAttemptAt: Number(nextAttemptAt) }),
  }
}

export const positionColumns = ['webhook_id', 'event_id', 'attempts', 'failing_since', 'next_attempt_at'] as const

export type PositionRow = [
  webhookId: bigint,
  eventId: bigint,
  attempts: bigint | number,
  failingSince: bigint | number | null,
  nextAttemptAt: bigint | number | null,
]

/** The highest event of all positions. */
export function highestEvent(positions: readonly DeliveryPosition[]): bigint {
  return positions.reduce((highest, { eventId }) => (eventId > highest ? eventId : highest), 0n)
}

/** In the order of `positionColumns`. */
export function toPositionRow(position: DeliveryPosition): PositionRow {
  const { webhookId, eventId, attempts, failingSince, nextAttemptAt } = position
  return [webhookId, eventId, attempts, failingSince ?? null, nextAttemptAt ?? null]
}

export function toPosition([webhookId, eventId, attempts, failingSince, nextAttemptAt]: PositionRow): DeliveryPosition {
  return {
    webhookId,
    eventId,
    attempts: Number(attempts),
    ...(failingSince !== null && { failingSince: Number(failingSince) }),
    ...(nextAttemptAt !== null && { nextAttemptAt: Number(nextAttemptAt) }),
  }
}

/** The columns that a later position replaces. */
export const replacePosition = positionColumns
  .slice(1)
  .map((column) => `${column} = excluded.${column}`)
  .join(', ')

/** Failures of another address, or from before a webhook was enabled again, do not count. */
export const failingSql = `SELECT webhook_id, failing_since FROM delivery_positions
  JOIN webhooks ON webhooks.id = delivery_positions.webhook_id
  WHERE attempts > 0 AND disabled_at IS NULL AND event_id >= starts_after AND failing_since >= active_since`

export type FailingRow = [webhookId: bigint, since: bigint | number]

export function toFailing(rows: readonly FailingRow[]): Map<bigint, number> {
  return new Map(rows.map(([webhookId, since]) => [webhookId, Number(since)]))
}

/** One row, or none: since when nobody has the lease although there are enabled webhooks. `now` is SQL. */
export function unattendedSql(now: string): string {
  return `SELECT CASE WHEN expires_at > first THEN expires_at ELSE first END
    FROM delivery_lease, (SELECT min(active_since) AS first FROM webhooks WHERE disabled_at IS NULL) AS enabled
    WHERE expires_at < ${now} - ${unattendedAfterMs} AND first < ${now} - ${unattendedAfterMs}`
}

export type UnattendedRow = [since: bigint | number]

export function toUnattendedSince(row: UnattendedRow | undefined): number | undefined {
  return row && Number(row[0])
}

const isOfRemoved = 'FROM delivery_positions WHERE webhook_id NOT IN (SELECT id FROM webhooks)'

/** The positions of webhooks that were removed. */
export const positionsToDeleteSql = `SELECT 1 ${isOfRemoved}`
export const deletePositionsSql = `DELETE ${isOfRemoved}`
