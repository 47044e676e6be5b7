import type { DatabaseSync } from 'node:sqlite'
import type { ApiKey, Keys } from '../../../inventory/keys.ts'
import { keyColumns, type KeyRow, toKey } from '../../shared/rows/key-row.ts'
import { prepareRows, readsOf } from '../connection/database.ts'
import type { Writer } from '../writes/writer.ts'

export function sqliteKeys(reader: DatabaseSync, writer: Writer): Keys {
  const read = readsOf(reader)
  const columns = `SELECT ${keyColumns} FROM api_keys`
  const byHash = prepareRows(reader, `${columns} WHERE hash = ?`)
  const byId = prepareRows(reader, `${columns} WHERE id = ?`)
  const all = prepareRows(reader, `${columns} ORDER BY created_at, rowid`)

  function find(hash: string): ApiKey | undefined {
    const row = byHash.get(hash) as KeyRow | undefined
    return row === undefined ? undefined : toKey(row)
  }

  return {
    find: (hash) => read(() => find(hash)),
    recall(hash) {
      try {
        return find(hash)
      } catch {
        return undefined // `find` rejects with the reason.
      }
    },
    findByIds: (ids) =>
      read(() =>
        ids.flatMap((id) => {
          const row = byId.get(id) as KeyRow | undefined
          return row === undefined ? [] : [toKey(row)]
        }),
      ),
    list: () => read(() => (all.all() as unknown as KeyRow[]).map(toKey)),
    create: (key, by) => writer.write('createKey', { ...key, ...(by !== undefined && { by }) }),
    revoke: (id, at, by) => writer.write('revokeKey', { id, at, ...(by !== undefined && { by }) }),
    rotate: (id, replacement, until, by) =>
      writer.write('rotateKey', { id, replacement, until, ...(by !== undefined && { by }) }),
    touch: (uses) => writer.write('touchKeys', uses),
  }
}
