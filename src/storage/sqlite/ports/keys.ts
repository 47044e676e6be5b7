import type { DatabaseSync } from 'node:sqlite'
import type { ApiKey, Keys } from '../../../inventory/keys.ts'
import { loopSteps } from '../../../inventory/loop-steps.ts'
import type { Engine } from '../../shared/ports/engine.ts'
import { keyWrites } from '../../shared/ports/key-writes.ts'
import { keyColumns, type KeyRow, toKey, toKeys } from '../../shared/rows/key-row.ts'
import { decodeReadable } from '../../shared/rows/unreadable-row.ts'
import { prepareRows, readsOf } from '../connection/database.ts'
import type { Writer } from '../writes/writer.ts'

/** Few enough that one read takes about a millisecond. */
const keysPerRead = 500

export function sqliteKeys(reader: DatabaseSync, writer: Writer): Keys {
  const read = readsOf(reader)
  const columns = `SELECT ${keyColumns} FROM api_keys`
  const byHash = prepareRows<KeyRow>(reader, `${columns} WHERE hash = ?`)
  const byId = prepareRows<KeyRow>(reader, `${columns} WHERE id = ?`)
  const next = prepareRows<[rowid: bigint, ...KeyRow]>(
    reader,
    `SELECT rowid, ${keyColumns} FROM api_keys WHERE rowid > ? ORDER BY rowid LIMIT (? + 0)`,
  )

  function find(hash: string): ApiKey | undefined {
    const row = byHash.get(hash)
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
        toKeys(
          ids.flatMap((id) => {
            const row = byId.get(id)
            return row === undefined ? [] : [row]
          }),
        ),
      ),
    async list() {
      const steps = loopSteps()
      const keys: ApiKey[] = []
      let after = 0n
      for (let isEnd = false; !isEnd; ) {
        const rows = await read(() => next.all(after, keysPerRead))
        keys.push(...decodeReadable(rows, ([, ...row]) => toKey(row)))
        after = rows.at(-1)?.[0] ?? after
        isEnd = rows.length < keysPerRead
        if (steps.isOver()) await steps.next()
      }
      return keys.toSorted((one, other) => one.createdAt - other.createdAt)
    },
    ...keyWrites(writer.write as Engine['write']),
    touch: (uses) => writer.write('touchKeys', uses),
  }
}
