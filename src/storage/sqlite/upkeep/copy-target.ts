import type { DatabaseSync } from 'node:sqlite'
import { unavailable } from '../../../inventory/errors.ts'
import {
  addedKinds,
  type AddedKind,
  type CopyTarget,
  isSameKey,
  keyColumnsOf,
  type RowKey,
} from '../../../inventory/snapshot.ts'
import { notEmpty } from '../../shared/refusals.ts'
import { disableWebhooksSql, endInvitationsSql } from '../../shared/writes/copied-shop.ts'
import { countRows } from '../schema/counts.ts'
import {
  openForWriting,
  pragma,
  prepareConnection,
  prepareOneRow,
  prepareRows,
  readsOf,
} from '../connection/database.ts'
import { isTransient, sqliteCodeOf } from '../connection/errors.ts'
import { indexNames } from '../schema/name-index.ts'
import { rowInserts } from './insert-rows.ts'
import { openSnapshot, orderOf } from './snapshot.ts'
import { latestSchema, migrate, refuseForeign, schemaNumber } from '../schema/migrate.ts'
import { forgetCopy, rememberCopy, unfinishedCopy } from '../schema/unfinished-copy.ts'

/** Opens a file to copy into and creates it if it is missing. A database that is in use is left unchanged. */
export function openCopyTarget(path: string): CopyTarget {
  const opened = openForWriting(path, { approve: (found) => refuseForeign(found, path) })
  const db = prepareConnection(opened, path, (found) => {
    if (isEmpty(found)) migrate(found, path)
    else if (schemaNumber(found) !== latestSchema()) throw notEmpty(path)
  })
  const read = readsOf(db)
  const { insertOf, addRows } = rowInserts(db)

  function last(kind: AddedKind): RowKey | undefined {
    const key = keyColumnsOf(kind).join(', ')
    return prepareRows<RowKey>(db, `SELECT ${key} FROM ${kind} ORDER BY ${orderOf(kind, 'DESC')} LIMIT 1`).get()
  }

  /** Runs `work` under the write lock. Commits if it returns true. */
  async function transaction(work: () => boolean): Promise<boolean> {
    try {
      db.exec('BEGIN IMMEDIATE')
      const isDone = work()
      db.exec(isDone ? 'COMMIT' : 'ROLLBACK')
      return isDone
    } catch (error) {
      if (db.isTransaction) db.exec('ROLLBACK')
      throw isTransient(sqliteCodeOf(error)) ? unavailable('Nothing can be written right now.', error) : error
    }
  }

  return {
    state: () =>
      read(() => {
        if (unfinishedCopy(db) !== undefined) return 'unfinished'
        return isEmpty(db) ? 'empty' : 'used'
      }),

    begin: (source, counters, properties = []) =>
      transaction(() => {
        const begun = unfinishedCopy(db)
        if (begun !== undefined) return begun === source
        if (!isEmpty(db)) return false
        rememberCopy(db, source)
        db.exec('DELETE FROM sqlite_sequence')
        const set = db.prepare('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)')
        for (const [name, last] of counters) set.run(name as string, last as bigint)
        // Removes the lineages of a service that was started on the empty database.
        db.exec('DELETE FROM lineages; DELETE FROM properties')
        for (const property of properties) insertOf('properties', 1).run(...property)
        return true
      }),

    last: (kind) => read(() => last(kind)),

    add: (kind, rows, after) =>
      transaction(() => {
        if (!isSameKey(last(kind), after)) return false
        addRows(kind, rows)
        return true
      }),

    snapshot: async () => openSnapshot(path),

    async finish() {
      const ended = { webhooks: 0, invitations: 0 }
      const now = Date.now()
      await transaction(() => {
        countRows(db, 'pets')
        indexNames(db)
        ended.webhooks = Number(db.prepare(disableWebhooksSql('copied', now)).run().changes)
        ended.invitations = Number(db.prepare(endInvitationsSql(`${now}`)).run().changes)
        forgetCopy(db)
        return true
      })
      return ended
    },

    async close() {
      db.close()
    },
  }
}

/** Whether nothing was ever stored: no rows except lineages, and no id assigned. An empty database has no tables yet. */
function isEmpty(db: DatabaseSync): boolean {
  if (pragma(db, 'schema_version') === 0) return true
  const existing = new Set(prepareRows<[string]>(db, 'SELECT name FROM sqlite_schema').all().flat())
  const kinds = addedKinds.filter((kind) => kind !== 'lineages')
  const tables = ['unfinished_copy', ...kinds].filter((name) => existing.has(name))
  const rows = [...tables, 'sqlite_sequence WHERE seq > 0'].map((from) => `EXISTS (SELECT 1 FROM ${from})`)
  return prepareOneRow<[bigint]>(db, `SELECT ${rows.join(' OR ')}`).get()[0] === 0n
}
