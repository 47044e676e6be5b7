import type { DatabaseSync } from 'node:sqlite'
import type { Permission } from '../../contract/operation.ts'
import type { ApiKey, Keys } from '../../inventory/keys.ts'
import { prepareRows, readsOf } from './database.ts'
import type { Writer } from './writer.ts'

type KeyRow = [
  id: string,
  name: string,
  permission: Permission,
  createdAt: bigint,
  expiresAt: bigint | null,
  revokedAt: bigint | null,
  lastUsedAt: bigint | null,
]

export function sqliteKeys(reader: DatabaseSync, writer: Writer): Keys {
  const read = readsOf(reader)
  const columns = 'SELECT id, name, permission, created_at, expires_at, revoked_at, last_used_at FROM api_keys'
  const byHash = prepareRows(reader, `${columns} WHERE hash = ?`)
  const all = prepareRows(reader, `${columns} ORDER BY created_at, rowid`)

  return {
    find: (hash) =>
      read(() => {
        const row = byHash.get(hash) as KeyRow | undefined
        return row === undefined ? undefined : toKey(row)
      }),
    list: () => read(() => (all.all() as unknown as KeyRow[]).map(toKey)),
    create: (key) => writer.write('createKey', key),
    revoke: (id, at) => writer.write('revokeKey', { id, at }),
    rotate: (id, replacement, until) => writer.write('rotateKey', { id, replacement, until }),
    touch: (uses) => writer.write('touchKeys', uses),
  }
}

function toKey([id, name, permission, createdAt, expiresAt, revokedAt, lastUsedAt]: KeyRow): ApiKey {
  return {
    id,
    name,
    permission,
    createdAt: Number(createdAt),
    ...(expiresAt !== null && { expiresAt: Number(expiresAt) }),
    ...(revokedAt !== null && { revokedAt: Number(revokedAt) }),
    ...(lastUsedAt !== null && { lastUsedAt: Number(lastUsedAt) }),
  }
}
