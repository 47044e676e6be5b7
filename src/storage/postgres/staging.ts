import { finished } from 'node:stream/promises'
import { from as copyFrom } from 'pg-copy-streams'
import type { NewPet } from '../../contract/pet.ts'
import { unavailable } from '../../inventory/errors.ts'
import type { ImportStep } from '../../inventory/imports.ts'
import type { Clock } from '../../inventory/storage.ts'
import { changedAnything } from './batch.ts'
import type { Histories } from './begin-history.ts'
import { copyLine } from './copy-line.ts'
import { countMoves } from './counts.ts'
import { connect } from './connect.ts'
import type { Session, Statement } from './database.ts'
import { isTransient } from './errors.ts'
import { petJson } from './fragments.ts'
import type { Server } from './server.ts'
import { commit, lockCounters } from './transaction.ts'

/** Where the animals of an import lie until they are added. One caller at a time. */
export interface Staging {
  stage(pets: readonly NewPet[]): Promise<void>
  add(step?: ImportStep): Promise<boolean>
  close(): Promise<void>
}

// Temporary: nobody else sees it, and it is gone with the transaction, however that ends.
const begin: Statement = {
  text: `BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE;
    CREATE TEMPORARY TABLE staged_pets (place int8, name text, category_id int8, status text) ON COMMIT DROP`,
}
// An import can wait longer for its turn than a request. But nobody may wait for an importer that vanished during its own.
const beforeTurn: Statement = {
  text: 'SET LOCAL lock_timeout = 30000; SET LOCAL idle_in_transaction_session_timeout = 5000',
}
const beginImport: Statement = {
  text: `
    INSERT INTO imports (source, rows_done, finished) VALUES ($1, $2, $3)
      ON CONFLICT (source) DO UPDATE SET rows_done = excluded.rows_done, finished = excluded.finished
      WHERE imports.finished`,
}
const goOn: Statement = {
  text: 'UPDATE imports SET rows_done = $2, finished = $3 WHERE source = $1 AND rows_done = $4 AND NOT finished',
}
const addStaged: Statement = {
  text: `
    WITH counter AS (
      UPDATE counters SET last = last + $1 WHERE name IN ('pets', 'events') RETURNING name, last - $1 AS before
    ), given AS (
      SELECT staged_pets.*, counter.before + place AS id FROM staged_pets, counter WHERE counter.name = 'pets'
    ), told AS (
      INSERT INTO events (id, type, subject, at, data)
        SELECT counter.before + place, 'pet.created', given.id, $2::int8, ${petJson('given')}
          FROM given, counter WHERE counter.name = 'events' ORDER BY place
    ), ${countMoves({
      moves: 'SELECT category_id, status, 1 AS animals FROM staged_pets',
      eventBefore: "SELECT before FROM counter WHERE name = 'events'",
      events: '$1',
    })}
    INSERT INTO pets (id, name, category_id, status)
      SELECT id, name, category_id, status FROM given ORDER BY place`,
}

/**
 * From the first animal that is staged until all are added, one transaction on a connection of its own. So it works behind
 * a pooler too. It has no time limit, for an import may be as long as it likes.
 */
export function openStaging(server: Server, histories: Histories, clock: Clock): Staging {
  let session: Session | undefined
  let isBegun = false
  let staged = 0
  let closed = false

  async function transaction(): Promise<Session> {
    if (closed) throw unavailable('The storage is closed.')
    if (session === undefined || session.isLost) {
      isBegun = false
      session = await connect(server, { pipeline: false })
    }
    if (!isBegun) await session.run(begin)
    if (!isBegun) staged = 0
    isBegun = true
    return session
  }

  async function goesOn({ run }: Session, { source, from, to, last }: ImportStep): Promise<boolean> {
    const result = await (from === 0 ? run(beginImport, [source, to, last]) : run(goOn, [source, to, last, from]))
    return changedAnything(result)
  }

  /** What fails takes the transaction with it, and what was staged in it. */
  async function attempt<Result>(work: (session: Session) => Promise<Result>): Promise<Result> {
    try {
      return await work(await transaction())
    } catch (error) {
      session?.drop('The import failed.')
      throw isTransient(error) ? unavailable('The animals cannot be stored right now; try again.', error) : error
    }
  }

  return {
    stage: (pets) =>
      attempt(async ({ client }) => {
        const copy = client.query(copyFrom('COPY staged_pets FROM STDIN'))
        let text = ''
        for (const { name, categoryId, status } of pets) text += copyLine([++staged, name, categoryId, status ?? null])
        copy.end(text)
        await finished(copy)
      }),

    add: (step) =>
      attempt(async (open) => {
        await open.run(beforeTurn)
        await open.run(lockCounters)
        for (const [statement, values] of histories.opening(open)) await open.run(statement, values)
        const isNext = step === undefined || (await goesOn(open, step))
        if (isNext) await open.run(addStaged, [staged, clock()])
        const { command } = await open.run(isNext ? commit : { text: 'ROLLBACK' })
        isBegun = false
        if (isNext && (command !== 'COMMIT' || open.warnings > 0)) {
          throw unavailable('Nobody knows whether the animals are stored.')
        }
        if (isNext) histories.committed(open)
        return isNext
      }),

    async close() {
      closed = true
      // Not a goodbye: an open transaction would have to be ended first.
      session?.drop('The storage is closed.')
    },
  }
}
