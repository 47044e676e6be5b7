import { finished } from 'node:stream/promises'
import { DatabaseError } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { type NewPet, petMembers } from '../../../contract/pet.ts'
import { outcomeUnknown, type PetStoreError, unavailable } from '../../../inventory/errors.ts'
import type { ImportStep, KeyedStep } from '../../../inventory/imports.ts'
import { indexedWords } from '../../../inventory/name-words.ts'
import type { Clock } from '../../../inventory/clock.ts'
import { idempotencyRetentionMs } from '../../../inventory/rules/idempotency.ts'
import { eventColumns } from '../../shared/rows/event-row.ts'
import { jsonOfRow } from '../../shared/rows/json-sql.ts'
import { petColumns, toNewPetRow } from '../../shared/rows/pet-row.ts'
import { idempotencyColumns, toIdempotencyRow } from '../../shared/rows/idempotency-row.ts'
import { unknownOutcome } from '../../shared/writes/unanswered.ts'
import { changedAnything } from './batch.ts'
import type { Lineages } from './begin-lineage.ts'
import { beginWriting } from '../connection/begin.ts'
import { copyLine } from '../connection/copy-line.ts'
import { countMoves } from '../schema/counts.ts'
import { connect } from '../connection/connect.ts'
import { typeOf } from '../connection/unnest.ts'
import { isCounter } from '../schema/counters.ts'
import type { Session, Statement } from '../connection/database.ts'
import { codeOf, ConnectionLost, explain, isTransient } from '../connection/errors.ts'
import type { Server } from '../connection/server.ts'
import { commit, lockCounters, rollback } from './transaction.ts'

/** The staged pets of an import. One caller at a time. A rejection discards everything staged. */
export interface Staging {
  stage(pets: readonly NewPet[]): Promise<void>
  add(count: number, step?: ImportStep | KeyedStep, author?: string): Promise<boolean>
  /** How many calls of `add` had which outcome. */
  outcomes(): Readonly<Record<'stored' | 'failed' | 'unknown', number>>
  close(): Promise<void>
}

const { id: _, ...stagedMembers } = petMembers
const stagedColumns = Object.values(stagedMembers)
  .map((member) => `${member.column} ${typeOf(member)}`)
  .join(', ')
// A temporary table: invisible for others, and removed with the transaction, however it ends.
const begin: Statement = {
  text: `${beginWriting.text};
    CREATE TEMPORARY TABLE staged_pets (nth int8, ${stagedColumns}, words text) ON COMMIT DROP`,
}
// An import can wait longer for the counters than a request. But others must not wait for an importer that vanished while
// it had locked them.
const beforeLock: Statement = {
  text: 'SET LOCAL lock_timeout = 30000; SET LOCAL idle_in_transaction_session_timeout = 5000',
}
const beginImport: Statement = {
  text: `
    INSERT INTO imports (source, rows_done, finished) VALUES ($1, $2, $3)
      ON CONFLICT (source) DO UPDATE SET rows_done = excluded.rows_done, finished = excluded.finished
      WHERE imports.finished`,
}
const resumeImport: Statement = {
  text: 'UPDATE imports SET rows_done = $2, finished = $3 WHERE source = $1 AND rows_done = $4 AND NOT finished',
}
const beginKeyed: Statement = {
  text: `
    INSERT INTO idempotency_records (${idempotencyColumns}) VALUES ($1, $2, $3, $4, $5)
      ON CONFLICT (key_id, name) DO UPDATE
        SET fingerprint = excluded.fingerprint, response = excluded.response, created_at = excluded.created_at
      WHERE idempotency_records.created_at <= $6`,
}
const resumeKeyed: Statement = {
  text: `
    UPDATE idempotency_records SET fingerprint = $3, response = $4, created_at = $5
      WHERE key_id = $1 AND name = $2 AND fingerprint = $6`,
}
const petJson = jsonOfRow(petMembers, (text) => `to_json(${text})::text`)
// No ORDER BY: `nth` determines the ids, and a temporary table is read in insertion order.
const addStaged: Statement = {
  text: `
    WITH counter AS (
      UPDATE counters SET last = last + $1 WHERE ${isCounter('pets', 'events')} RETURNING name, last - $1 AS before
    ), given AS NOT MATERIALIZED (
      SELECT staged_pets.*, counter.before + nth AS id FROM staged_pets, counter WHERE counter.name = 'pets'
    ), added_events AS (
      INSERT INTO events (${eventColumns})
        SELECT counter.before + nth, 'pet.created', id, $2::int8, json, $3
          FROM (SELECT nth, id, ${petJson} AS json FROM given) AS given, counter WHERE counter.name = 'events'
    ), ${countMoves('SELECT category_id, status, 1 AS animals FROM staged_pets')}
    INSERT INTO pets (${petColumns}, words) SELECT ${petColumns}, words FROM given`,
}

/**
 * One transaction on a connection of its own, from the first staged pet until all are added, so it works behind a
 * pooler. If the connection is lost, the staged pets are lost: the next call rejects and says why.
 */
export function openStaging(server: Server, lineages: Lineages, clock: Clock): Staging {
  let session: Session | undefined
  let isBegun = false
  let staged = 0
  let closed = false
  const outcomes = { stored: 0, failed: 0, unknown: 0 }
  /** The server's error when it ended the connection. */
  let lastServerError: Error | undefined

  async function connectAnew(): Promise<Session> {
    const connected = await connect(server, { pipeline: false })
    lastServerError = undefined
    connected.client.on('error', (error: Error) => (lastServerError ??= error))
    return connected
  }

  async function transaction(): Promise<Session> {
    if (closed) throw unavailable('The storage is closed.')
    if (session?.isLost && isBegun)
      throw lastServerError ?? new ConnectionLost('The connection to the database was lost.')
    if (session === undefined || session.isLost) session = await connectAnew()
    if (!isBegun) await session.run(begin)
    isBegun = true
    return session
  }

  async function recordStep({ run }: Session, step: ImportStep | KeyedStep): Promise<boolean> {
    if ('key' in step) {
      const { key, before, body } = step
      const at = clock()
      const values = toIdempotencyRow(key, body, at)
      const isFirst = before === undefined
      const [statement, last] = isFirst ? [beginKeyed, at - idempotencyRetentionMs] : [resumeKeyed, before]
      return changedAnything(await run(statement, [...values, last]))
    }
    const { source, from, to, last } = step
    const result = await (from === 0
      ? run(beginImport, [source, to, last])
      : run(resumeImport, [source, to, last, from]))
    return changedAnything(result)
  }

  async function commitTransaction(open: Session): Promise<void> {
    const { warnings } = open
    const { command } = await open.run(commit).catch((error: unknown) => {
      throw isUndone(error) ? error : outcomeUnknown(unknownOutcome, error)
    })
    if (command !== 'COMMIT') throw new ConnectionLost(`COMMIT ended in ${command}.`)
    // A server that stops, or stops waiting for replicas, commits with a warning: the replicas may lack the commit.
    if (open.warnings > warnings) throw outcomeUnknown('The server sent a warning during the commit.')
  }

  /** A failure ends the transaction and discards the staged pets. */
  async function attempt<Result>(work: (session: Session) => Promise<Result>): Promise<Result> {
    try {
      return await work(await transaction())
    } catch (error) {
      session?.drop('The import failed.')
      reset()
      throw toError(error)
    }
  }

  /** An addition that has been made before is stored, too. */
  async function countOutcome(adding: Promise<boolean>): Promise<boolean> {
    const settled = (await Promise.allSettled([adding]))[0]
    if (settled.status === 'fulfilled') outcomes.stored++
    else outcomes[(settled.reason as Partial<PetStoreError>).mayHaveSucceeded ? 'unknown' : 'failed']++
    return adding
  }

  function reset(): void {
    isBegun = false
    staged = 0
  }

  function toError(error: unknown): unknown {
    if (codeOf(error) === '25P03') {
      return unavailable('the next rows came later than the idle_in_transaction_session_timeout of the database allows')
    }
    if (codeOf(error) === '42501') return explain(server, error)
    return isTransient(error) ? unavailable('The animals cannot be stored right now; try again.', error) : error
  }

  return {
    stage: (pets) =>
      attempt(async ({ client }) => {
        const copy = client.query(copyFrom('COPY staged_pets FROM STDIN'))
        let text = ''
        for (const pet of pets) text += copyLine([++staged, ...toNewPetRow(pet), indexedWords(pet.name)])
        copy.end(text)
        await finished(copy)
      }),

    add: (count, step, author) =>
      countOutcome(
        attempt(async (open) => {
          if (staged !== count) throw unavailable(`${staged} animals are staged, not ${count}`)
          await open.run(beforeLock)
          await open.run(lockCounters)
          for (const [statement, values] of lineages.opening(open)) await open.run(statement, values)
          if (step !== undefined && !(await recordStep(open, step))) {
            await open.run(rollback)
            reset()
            return false
          }
          const { rowCount } = await open.run(addStaged, [count, clock(), author])
          if (rowCount !== count) throw unavailable(`${rowCount} of ${count} staged animals were found`)
          await commitTransaction(open)
          lineages.committed(open)
          reset()
          return true
        }),
      ),

    outcomes: () => outcomes,

    async close() {
      closed = true
      await session?.end()
    },
  }
}

/** An error ends a transaction; a lost connection may have ended after the commit. */
function isUndone(error: unknown): boolean {
  return error instanceof DatabaseError && error.severity === 'ERROR'
}
