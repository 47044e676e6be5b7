import { setTimeout as sleep } from 'node:timers/promises'
import { StorageError } from '../../shared/errors.ts'
import type { Migration } from '../../shared/migration-files.ts'
import { beginWriting } from '../connection/begin.ts'
import type { Session } from '../connection/database.ts'
import type { Statement } from '../connection/statement.ts'
import { codeOf } from '../connection/errors.ts'
import type { Settings } from '../connection/settings.ts'
import { counter } from './counters.ts'

/** How long a transaction waits for each lock. Requests for the table queue up behind it for as long. */
const lockTimeoutMs = 300
/** The pause before the next try, so that others are served in between, and how long it is tried. */
const pauseMs = 1_000
const maxWaitMs = 600_000

/** For the session that applies migrations. An index is built concurrently outside of a transaction. */
export const migrationSettings: Settings = { default_transaction_read_only: 'off' }

// Local: behind a pooler in transaction mode a session has no settings of its own.
const limits: Statement = {
  text: `SET LOCAL lock_timeout = ${lockTimeoutMs}; SET LOCAL idle_in_transaction_session_timeout = 10000`,
}
const hasCounters: Statement = { text: "SELECT to_regclass('counters') IS NOT NULL" }
/** First of all: then no writer holds one of our tables while it waits for another. */
const lockWriters: Statement = { text: `${counter('pets')} FOR UPDATE` }
const makeTable: Statement = {
  text: `CREATE TABLE IF NOT EXISTS petstore_migrations
    (number int4 NOT NULL, name text COLLATE "C" NOT NULL, PRIMARY KEY (number, name))`,
}
const record: Statement = { text: 'INSERT INTO petstore_migrations (number, name) VALUES ($1, $2)' }
const oldestTransaction: Statement = {
  text: `
    SELECT pid, application_name, state, floor(extract(epoch FROM clock_timestamp() - xact_start))::int4
      FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND xact_start IS NOT NULL
      ORDER BY xact_start LIMIT 1`,
}
const invalidIndex: Statement = {
  text: 'SELECT 1 FROM pg_index WHERE indexrelid = to_regclass($1) AND NOT (indisvalid AND indisready)',
}

export interface Applying {
  shown: string
  /** Told why a migration waits, once. */
  waits?: ((sentence: string) => void) | undefined
}

/** Applies a migration and records it. Rejects with the database's error, and with a StorageError if it waited in vain. */
export async function applyMigration(session: Session, migration: Migration, applying: Applying): Promise<void> {
  if (migration.isConcurrent) return applyConcurrently(session, migration)
  const startedAt = performance.now()
  for (let tries = 0; ; tries++) {
    try {
      return await inTransaction(session, [{ text: migration.sql }], migration)
    } catch (error) {
      if (!isLocked(error)) throw error
      const sentence = `The migration ${migration.name} of ${applying.shown} waits for a lock: ${await holder(session)}`
      if (performance.now() - startedAt > maxWaitMs) {
        throw new StorageError(`${sentence} Nothing was changed: run petstore migrate when it has ended.`)
      }
      if (tries === 2) applying.waits?.(`${sentence} It is tried again.`)
      await sleep(pauseMs)
    }
  }
}

/** A lock timeout, or a deadlock with somebody else. */
function isLocked(error: unknown): boolean {
  return ['55P03', '40P01'].includes(codeOf(error) ?? '')
}

async function inTransaction(session: Session, statements: readonly Statement[], migration: Migration): Promise<void> {
  await session.run(beginWriting)
  try {
    await session.run(limits)
    if (((await session.run(hasCounters)).rows[0] as [boolean])[0]) await session.run(lockWriters)
    await session.run(makeTable)
    for (const statement of statements) await session.run(statement)
    await session.run(record, [migration.number, migration.name])
    await session.run({ text: 'COMMIT' })
  } catch (error) {
    await session.run({ text: 'ROLLBACK' }).catch(() => undefined)
    throw error
  }
}

/** Statements that were done before a kill are skipped, because they say IF NOT EXISTS. A half-built index is dropped. */
async function applyConcurrently(session: Session, migration: Migration): Promise<void> {
  for (const text of statementsOf(migration.sql)) {
    const [, index] = /^CREATE (?:UNIQUE )?INDEX CONCURRENTLY IF NOT EXISTS (\w+) /.exec(text) ?? []
    if (index === undefined) throw new Error(`${migration.name} may have CREATE INDEX CONCURRENTLY IF NOT EXISTS only`)
    const { rows } = await session.run(invalidIndex, [index])
    if (rows.length > 0) await session.run({ text: `DROP INDEX CONCURRENTLY ${index}` })
    await session.run({ text })
  }
  await inTransaction(session, [], migration)
}

function statementsOf(sql: string): string[] {
  return sql
    .replaceAll(/^--.*$/gm, '')
    .split(';')
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '')
}

async function holder(session: Session): Promise<string> {
  const [row] = (await session.run(oldestTransaction)).rows as [number, string, string | null, number][]
  if (row === undefined) return 'other sessions were faster.'
  const [pid, application, state, seconds] = row
  return `the oldest transaction is of process ${pid} (${application}), ${state ?? 'hidden'}, since ${seconds} s.`
}
