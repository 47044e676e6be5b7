import { pipeline } from 'node:stream/promises'
import { DatabaseError } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { petMembers } from '../../../contract/pet.ts'
import { outcomeUnknown, type PetStoreError, unavailable } from '../../../inventory/errors.ts'
import type { ImportedPet, Imports, ImportStep, NamedCategory } from '../../../inventory/imports.ts'
import type { Clock } from '../../../inventory/clock.ts'
import { eventColumns } from '../../shared/rows/event-row.ts'
import { jsonOfRow } from '../../shared/rows/resource-rows.ts'
import { petColumns } from '../../shared/rows/pet-row.ts'
import { categoryError } from '../../shared/writes/import-categories.ts'
import { importStepSql, importStepWrite, partsOf } from '../../shared/writes/import-steps.ts'
import { unknownOutcome } from '../../shared/writes/unanswered.ts'
import { changedAnything } from './batch.ts'
import type { Lineages } from './begin-lineage.ts'
import { beginWriting } from '../connection/begin.ts'
import { countMoves } from '../schema/counts.ts'
import { countDays } from '../schema/day-counts.ts'
import { connect } from '../connection/connect.ts'
import { isCounter } from '../schema/counters.ts'
import type { Session } from '../connection/database.ts'
import type { Statement } from '../connection/statement.ts'
import { codeOf, ConnectionLost, explain, isTransient, toLost } from '../connection/errors.ts'
import type { Server } from '../connection/server.ts'
import { settleImportCategories, storeImportCategories } from './import-categories.ts'
import { settleImportRecord, storeImportRecord } from './import-record.ts'
import { copyText, createStagedPets } from './staged-pets.ts'
import { commit, lockCounters, rollback } from './transaction.ts'

/** Adds the pets of imports, one call at a time. */
export interface ImportWriter {
  add: Imports['add']
  /** How many calls of `add` had which outcome. */
  outcomes(): Readonly<Record<'stored' | 'failed' | 'unknown', number>>
  close(): Promise<void>
}

const begin: Statement = { text: `${beginWriting.text}; ${createStagedPets}` }
/**
 * How long the server may take for a statement, beside a millisecond for each pet. Longer than the lock timeout, so that
 * the server gives up first.
 */
const statementTimeoutMs = 40_000
// An import can wait longer for the counters than a request. But others must not wait for an importer that vanished while
// it had locked them.
const beforeLock: Statement = {
  text: 'SET LOCAL lock_timeout = 30000; SET LOCAL idle_in_transaction_session_timeout = 5000',
}
const stepSql = importStepSql((number) => `$${number}`)
const stepStatements = { first: { text: stepSql.first }, next: { text: stepSql.next } } satisfies Record<
  string,
  Statement
>
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
    ), ${countMoves('SELECT category_id, status, 1 AS animals FROM staged_pets')},
    ${countDays("SELECT 'pet.created' AS type, $2::int8 AS at, $1::int8 AS number WHERE $1::int8 > 0")}
    INSERT INTO pets (${petColumns}, words) SELECT ${petColumns}, words FROM given`,
}

/**
 * One transaction on a connection of its own, from the first staged pet until all are added, so it works behind a
 * pooler. If the connection is lost, the staged pets are lost: the call rejects and says why.
 */
export function openImportWriter(
  server: Server,
  lineages: Lineages,
  clock: Clock,
  timeoutMs = statementTimeoutMs,
): ImportWriter {
  let session: Session | undefined
  let closed = false
  const outcomes = { stored: 0, failed: 0, unknown: 0 }
  /** The server's error when it ended the connection. */
  let lastServerError: Error | undefined

  async function reconnect(): Promise<Session> {
    const connected = await connect(server, { pipeline: false })
    lastServerError = undefined
    connected.client.on('error', (error: Error) => (lastServerError ??= error))
    return connected
  }

  async function beginStaging(): Promise<Session> {
    if (closed) throw unavailable('The storage is closed.')
    if (session === undefined || session.isLost) session = await reconnect()
    await inTime(session, session.run(begin))
    return session
  }

  /** Drops the connection to a server that hangs, so that later calls can use another one. */
  function inTime<Result>(open: Session, work: Promise<Result>, pets = 0): Promise<Result> {
    const timer = setTimeout(() => open.drop('The database did not answer in time.'), timeoutMs + pets)
    return work.finally(() => clearTimeout(timer))
  }

  /** Says why the server ended the connection, if it did so between two statements. */
  function refuseLost(open: Session): void {
    if (open.isLost) throw toLost(lastServerError)
  }

  /** `staged` is the number of pets before these. */
  async function stage(open: Session, pets: readonly ImportedPet[], staged: number): Promise<void> {
    refuseLost(open)
    const copy = pipeline(copyText(pets, staged), open.client.query(copyFrom('COPY staged_pets FROM STDIN')))
    await inTime(open, copy, pets.length).catch((error: unknown) => {
      throw toLost(error)
    })
  }

  async function isNext(run: Session['run'], step: ImportStep, at: number): Promise<boolean> {
    const { which, values } = importStepWrite(step, at)
    return changedAnything(await run(stepStatements[which], values))
  }

  async function commitTransaction(open: Session, run: Session['run']): Promise<void> {
    const { warnings } = open
    const { command } = await run(commit).catch((error: unknown) => {
      throw isUndone(error) ? error : outcomeUnknown(unknownOutcome, error)
    })
    if (command !== 'COMMIT') throw new ConnectionLost(`COMMIT ended in ${command}.`)
    // A server that stops, or stops waiting for replicas, commits with a warning: the replicas may lack the commit.
    if (open.warnings > warnings) throw outcomeUnknown('The server sent a warning during the commit.')
  }

  async function settle(run: Session['run'], categories: readonly NamedCategory[]) {
    const settled = await settleImportCategories(run, categories)
    if (typeof settled === 'string') throw categoryError(settled)
    return settled
  }

  const add: Imports['add'] = async (pets, step, author, categories, part) => {
    let open: Session | undefined
    let staged = 0
    for await (const part of partsOf(pets)) {
      open ??= await beginStaging()
      await stage(open, part, staged)
      staged += part.length
    }
    const session = (open ??= await beginStaging())
    refuseLost(session)
    const run: Session['run'] = (...statement) => inTime(session, session.run(...statement), staged)
    await run(beforeLock)
    await run(lockCounters)
    for (const [statement, values] of lineages.opening(session)) await run(statement, values)
    const settled = await settle(run, categories?.() ?? [])
    const at = clock()
    const given = step?.()
    const own = part?.()
    const record = own && (await settleImportRecord(run, own, staged, at))
    if (given !== undefined && !(await isNext(run, given, at))) {
      await run(rollback)
      return false
    }
    await storeImportCategories(run, settled)
    const { rowCount } = await run(addStaged, [staged, at, author])
    if (rowCount !== staged) throw unavailable(`${rowCount} of ${staged} staged animals were found`)
    if (record !== undefined) await storeImportRecord(run, record)
    await commitTransaction(session, run)
    lineages.committed(session)
    return true
  }

  function toError(error: unknown): unknown {
    if (codeOf(error) === '42501') return explain(server, error)
    return isTransient(error) ? unavailable('The animals cannot be stored right now; try again.', error) : error
  }

  return {
    async add(...call) {
      try {
        // Pets that were added before are stored, too.
        const isAdded = await add(...call)
        outcomes.stored++
        return isAdded
      } catch (cause) {
        session?.drop('The import failed.')
        const error = toError(cause)
        outcomes[(error as Partial<PetStoreError>).mayHaveSucceeded ? 'unknown' : 'failed']++
        throw error
      }
    },

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
