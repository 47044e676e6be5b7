import type { ApiKey, Keys } from '../../../inventory/keys.ts'
import { keyWrites } from '../../shared/ports/key-writes.ts'
import { keyColumns, type KeyRow, toKey, toKeys } from '../../shared/rows/key-row.ts'
import { decodeReadable } from '../../shared/rows/unreadable-row.ts'
import type { Statement } from '../connection/statement.ts'
import type { Readers } from '../reads/readers.ts'
import type { Writer } from '../writes/writer.ts'

const columns = `SELECT ${keyColumns} FROM api_keys`
const byHash: Statement = { name: 'key', text: `${columns} WHERE hash = $1` }
const byIds: Statement = { name: 'keys_by_id', text: `${columns} WHERE id = ANY($1::text[])` }
const all: Statement = { name: 'keys', text: `${columns} ORDER BY created_at, number` }

/**
 * How long a key is cached. A stream admitted at the end of that time is checked 400 ms later: both must fit into the
 * second after which a revoked key is refused everywhere.
 */
const cacheMs = 400
const maxCachedKeys = 10_000

interface LookUp {
  key: Promise<ApiKey | undefined>
  /** The key, once the query has found it. */
  found?: ApiKey | undefined
  until: number
}

/**
 * Every request looks up a key, so keys are cached for less than a second. Unknown keys are not cached: a new key works
 * at once. Changes by this process are visible at once.
 */
export function postgresKeys({ read }: Readers, writer: Writer): Keys {
  const lookUps = new Map<string, LookUp>()

  async function lookUp(hash: string): Promise<ApiKey | undefined> {
    const { rows } = await read(byHash, [hash])
    return rows[0] === undefined ? undefined : toKey(rows[0] as KeyRow)
  }

  /** Sends one query for all concurrent callers. */
  function lookUpAndCache(hash: string): Promise<ApiKey | undefined> {
    if (lookUps.size >= maxCachedKeys) lookUps.clear()
    const key = lookUp(hash)
    // Measured from the query, not from the result: the result is as old as the query.
    const entry: LookUp = { key, until: performance.now() + cacheMs }
    lookUps.set(hash, entry)
    const forget = () => {
      if (lookUps.get(hash) === entry) lookUps.delete(hash)
    }
    key.then((found) => (found === undefined ? forget() : (entry.found = found)), forget)
    return key
  }

  function cached(hash: string): LookUp | undefined {
    const known = lookUps.get(hash)
    return known !== undefined && performance.now() <= known.until ? known : undefined
  }

  const write: Writer['write'] = (name, input) => writer.write(name, input).finally(() => lookUps.clear())

  return {
    async find(hash) {
      const known = cached(hash)
      if (known === undefined) return lookUpAndCache(hash)
      // An earlier query may have missed a key that exists by now.
      return (await known.key) ?? lookUp(hash)
    },
    recall: (hash) => cached(hash)?.found,
    async findByIds(ids) {
      const { rows } = await read(byIds, [ids])
      return toKeys(rows as KeyRow[])
    },
    async list() {
      const { rows } = await read(all)
      return decodeReadable(rows as KeyRow[], toKey)
    },
    ...keyWrites(write),
    touch: (uses) => write('touchKeys', uses),
  }
}
