import type { DatabaseSync } from 'node:sqlite'
import type { Keys } from '../../inventory/keys.ts'
import { keyColumns, type KeyRow, toKey } from '../shared/key-row.ts'
import { prepareRows, readsOf } from './database.ts'
import type { Writer } from './writer.ts'

export function sqliteKeys(reader: DatabaseSync, writer: Writer): Keys {
  const read = readsOf(reader)
  const columns = `SELECT ${keyColumns} FROM api_keys`
  const byHash = prepareRows(reader, `${columns} WHERE hash = ?`)
  const byId = prepareRows(reader, `${columns} WHERE id = ?`)
  const all = prepareRows(reader, `${columns} ORDER BY created_at, rowid`)

  return {
    find: (hash) =>
      read(() => {
        const row = byHash.get(hash) as KeyRow | undefined
        return row === undefined ? undefined : toKey(row)
      }),
    findByIds: (ids) =>
      read(() =>
        ids.flatMap((id) => {
          const row = byId.get(id) as KeyRow | undefined
          return row === undefined ? [] : [toKey(row)]
        }),
      ),
    list: () => read(() => (all.all() as unknown as KeyRow[]).map(toKey)),
    create: (key) => writer.write('createKey', key),
    revoke: (id, at) => writer.write('revokeKey', { id, at }),
    rotate: (id, replacement, until) => writer.write('rotateKey', { id, replacement, until }),
    touch: (uses) => writer.write('touchKeys', uses),
  }
}
