import type { NewApiKey } from '../../inventory/keys.ts'
import { changedAnything, oneByOne } from './batch.ts'

const nothing = () => undefined

/** The writes of keys. Each runs inside a transaction of the writer. */
export const keyWrites = {
  createKey: oneByOne<NewApiKey, void>(
    {
      name: 'create_key',
      text: `
        INSERT INTO api_keys (id, name, permission, hash, created_at, expires_at) VALUES ($1, $2, $3, $4, $5, $6)`,
    },
    columnsOf,
    nothing,
  ),

  revokeKey: oneByOne<{ id: string; at: number }, boolean>(
    { name: 'revoke_key', text: 'UPDATE api_keys SET revoked_at = coalesce(revoked_at, $2) WHERE id = $1' },
    ({ id, at }) => [id, at],
    changedAnything,
  ),

  rotateKey: oneByOne<{ id: string; replacement: NewApiKey; until: number }, boolean>(
    {
      name: 'rotate_key',
      text: `
        WITH old AS (UPDATE api_keys SET expires_at = least(expires_at, $8) WHERE id = $7 RETURNING id)
        INSERT INTO api_keys (id, name, permission, hash, created_at, expires_at)
          SELECT $1, $2, $3, $4, $5::int8, $6::int8 FROM old`,
    },
    ({ id, replacement, until }) => [...columnsOf(replacement), id, until],
    changedAnything,
  ),

  touchKeys: oneByOne<ReadonlyMap<string, number>, void>(
    {
      name: 'touch_keys',
      text: `
        UPDATE api_keys SET last_used_at = greatest(last_used_at, used.at)
          FROM unnest($1::text[], $2::int8[]) AS used (id, at) WHERE api_keys.id = used.id`,
    },
    (uses) => [[...uses.keys()], [...uses.values()]],
    nothing,
  ),
}

function columnsOf({ id, name, permission, hash, createdAt, expiresAt }: NewApiKey): unknown[] {
  return [id, name, permission, hash, createdAt, expiresAt ?? null]
}
