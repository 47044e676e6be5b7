import { finished } from 'node:stream/promises'
import { from as copyFrom } from 'pg-copy-streams'
import { unavailable } from '../../../inventory/errors.ts'
import { indexedWords } from '../../../inventory/name-words.ts'
import {
  addedKinds,
  type AddedKind,
  columnsOf,
  type CopyTarget,
  isSameKey,
  keyColumnsOf,
  type Row,
  type RowKey,
} from '../../../inventory/snapshot.ts'
import { isResource } from '../../../inventory/tables.ts'
import { resourceRows } from '../../shared/rows/resource-rows.ts'
import { notEmpty } from '../../shared/refusals.ts'
import { disableWebhooksSql, endInvitationsSql } from '../../shared/writes/copied-shop.ts'
import { StorageError } from '../../shared/errors.ts'
import { beginWriting } from '../connection/begin.ts'
import { copyLine } from '../connection/many-rows.ts'
import { connectAtStart } from '../connection/connect.ts'
import type { Session } from '../connection/database.ts'
import type { Statement } from '../connection/statement.ts'
import { codeOf, explain, isTransient } from '../connection/errors.ts'
import { openSnapshot, orderOf } from './snapshot.ts'
import { countAll } from '../schema/counts.ts'
import { latestSchema, migrate, schemaNumber } from '../schema/migrate.ts'
import { refuseOtherEncoding } from '../connection/encoding-check.ts'
import { readServer } from '../connection/server.ts'
import { commit, limits, lockCounters, rollback } from '../writes/transaction.ts'
import { forgetCopy, rememberCopy, unfinishedCopy } from '../schema/unfinished-copy.ts'

const setCounter: Statement = { text: 'UPDATE counters SET last = $2 WHERE name = $1' }
// Removes the lineages of a service that was started on the empty database.
const deleteLineages: Statement = { text: 'DELETE FROM lineages' }
const forgetProperties: Statement = { text: 'DELETE FROM properties' }
const addProperty: Statement = { text: 'INSERT INTO properties (name, value) VALUES ($1, $2)' }

/** Opens a database to copy into and creates missing tables. A database that is in use is left unchanged. */
export async function openCopyTarget(url: string): Promise<CopyTarget> {
  const server = readServer(url)
  const session = await connectAtStart(server, { pipeline: false })
  try {
    await refuseOtherEncoding(session, server)
    if (await isEmpty(session)) await migrate(session, server)
    else if ((await schemaNumber(session)) !== latestSchema()) throw notEmpty(server.shown)
  } catch (error) {
    session.drop('The database was refused.')
    throw error instanceof StorageError ? error : explain(server, error)
  }

  async function last(kind: AddedKind): Promise<RowKey | undefined> {
    const key = keyColumnsOf(kind).join(', ')
    const text = `SELECT ${key} FROM ${kind} ORDER BY ${orderOf(kind, 'DESC')} LIMIT 1`
    return (await session.run({ text })).rows[0] as RowKey | undefined
  }

  async function addRows(kind: AddedKind, rows: readonly Row[]): Promise<void> {
    const { storedColumns, withDerived } = isResource(kind)
      ? resourceRows[kind]
      : { storedColumns: columnsOf[kind].join(', '), withDerived: (row: Row) => row }
    const isPets = kind === 'pets'
    const columns = isPets ? `${storedColumns}, words` : storedColumns
    const copy = session.client.query(copyFrom(`COPY ${kind} (${columns}) FROM STDIN`))
    let text = ''
    for (const row of rows) text += copyLine(isPets ? [...row, indexedWords(row[1] as string)] : withDerived(row))
    copy.end(text)
    await finished(copy)
  }

  function toError(error: unknown): unknown {
    if (session.isLost || isTransient(error))
      return unavailable(`The database ${server.shown} cannot be written.`, error)
    if (codeOf(error) !== '22021') return error
    return new StorageError('The source has text that contains NUL, which PostgreSQL cannot store.')
  }

  async function attempt<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work()
    } catch (error) {
      throw toError(error)
    }
  }

  async function lockCountersAnd(work: () => Promise<boolean>): Promise<boolean> {
    try {
      await session.run(limits)
      await session.run(lockCounters)
      return await work()
    } catch (error) {
      await session.run(rollback).catch(() => undefined)
      throw error
    }
  }

  /** Runs `work` with the counters locked. Commits if it resolves to true. */
  function transaction(work: () => Promise<boolean>): Promise<boolean> {
    return attempt(async () => {
      await session.run(beginWriting)
      const isDone = await lockCountersAnd(work)
      const { warnings } = session
      const { command } = await session.run(isDone ? commit : rollback)
      if (isDone && (command !== 'COMMIT' || session.warnings > warnings)) {
        throw unavailable('It is unknown whether the rows are stored.')
      }
      return isDone
    })
  }

  return {
    state: () =>
      attempt(async () => {
        if ((await unfinishedCopy(session)) !== undefined) return 'unfinished'
        return (await isEmpty(session)) ? 'empty' : 'used'
      }),

    begin: (source, counters, properties = []) =>
      transaction(async () => {
        const begun = await unfinishedCopy(session)
        if (begun !== undefined) return begun === source
        if (!(await isEmpty(session))) return false
        await rememberCopy(session, source)
        for (const counter of counters) await session.run(setCounter, counter)
        await session.run(deleteLineages)
        await session.run(forgetProperties)
        for (const property of properties) await session.run(addProperty, property)
        return true
      }),

    last: (kind) => attempt(() => last(kind)),

    add: (kind, rows, after) =>
      transaction(async () => {
        if (!isSameKey(await last(kind), after)) return false
        await addRows(kind, rows)
        return true
      }),

    snapshot: () => openSnapshot(server),

    async finish() {
      const ended = { webhooks: 0, invitations: 0 }
      const now = Date.now()
      await transaction(async () => {
        for (const statement of countAll) await session.run(statement)
        ended.webhooks = (await session.run({ text: disableWebhooksSql('copied', now) })).rowCount ?? 0
        ended.invitations = (await session.run({ text: endInvitationsSql(`${now}`) })).rowCount ?? 0
        await forgetCopy(session)
        return true
      })
      return ended
    },

    close: () => session.end(),
  }
}

/** Whether nothing was ever stored: no rows except lineages, and no id assigned. An empty database has no tables yet. */
async function isEmpty({ run }: Session): Promise<boolean> {
  const tables = ['unfinished_copy', 'counters', ...addedKinds.filter((kind) => kind !== 'lineages')]
  const { rows } = await run({ text: `SELECT ${tables.map((table) => `to_regclass('${table}')::text`).join(', ')}` })
  const there = new Set(rows[0])
  const used = tables
    .filter((table) => there.has(table))
    .map((table) => `EXISTS (SELECT 1 FROM ${table} ${table === 'counters' ? 'WHERE last > 0' : ''})`)
  if (used.length === 0) return true
  return !((await run({ text: `SELECT ${used.join(' OR ')}` })).rows[0] as [boolean])[0]
}
