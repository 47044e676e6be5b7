import type { ApiKey, Keys } from '../../inventory/keys.ts'
import { keyColumns, type KeyRow, toKey } from '../shared/key-row.ts'
import type { Statement } from './database.ts'
import type { Readers } from './readers.ts'
import type { Writer } from './writer.ts'

const columns = `SELECT ${keyColumns} FROM api_keys`
const byHash: Statement = { name: 'key', text: `${columns} WHERE hash = $1` }
const byIds: Statement = { name: 'keys_by_id', text: `${columns} WHERE id = ANY($1::text[])` }
const all: Statement = { name: 'keys', text: `${columns} ORDER BY created_at, place` }

/**
 * How long a key that was found is believed to be as it was. A stream that was let in at the end of that time is checked
 * 400 ms later: all of it must fit into the second after which a revoked key is of no use anywhere.
 */
const cacheMs = 400
const bound = 10_000

interface LookUp {
  key: Promise<ApiKey | undefined>
  until: number
}

/**
 * Keys are asked for with every request, so what was found is kept for less than a second. Only what was found: a key that
 * was just made works at once. What this process itself changes, it forgets at once.
 */
export function postgresKeys({ read }: Readers, writer: Writer): Keys {
  const lookUps = new Map<string, LookUp>()

  async function lookUp(hash: string): Promise<ApiKey | undefined> {
    const { rows } = await read(byHash, [hash])
    return rows[0] === undefined ? undefined : toKey(rows[0] as KeyRow)
  }

  /** Asks once for all who ask at the same time. */
  function lookUpAndKeep(hash: string): Promise<ApiKey | undefined> {
    if (lookUps.size >= bound) lookUps.clear()
    const key = lookUp(hash)
    // From now on, not from when the answer is here: what was read is as old as the question.
    const entry = { key, until: performance.now() + cacheMs }
    lookUps.set(hash, entry)
    const forget = () => {
      if (lookUps.get(hash) === entry) lookUps.delete(hash)
    }
    key.then((found) => found ?? forget(), forget)
    return key
  }

  async function change<Result>(writing: Promise<Result>): Promise<Result> {
    try {
      return await writing
    } finally {
      lookUps.clear()
    }
  }

  return {
    async find(hash) {
      const known = lookUps.get(hash)
      if (known === undefined || known.until < performance.now()) return lookUpAndKeep(hash)
      // A question that was asked before may have come too early for a key that is there by now.
      return (await known.key) ?? lookUp(hash)
    },
    async findByIds(ids) {
      const { rows } = await read(byIds, [ids])
      return (rows as KeyRow[]).map(toKey)
    },
    async list() {
      const { rows } = await read(all)
      return (rows as KeyRow[]).map(toKey)
    },
    create: (key) => change(writer.write('createKey', key)),
    revoke: (id, at) => change(writer.write('revokeKey', { id, at })),
    rotate: (id, replacement, until) => change(writer.write('rotateKey', { id, replacement, until })),
    touch: (uses) => change(writer.write('touchKeys', uses)),
  }
}
