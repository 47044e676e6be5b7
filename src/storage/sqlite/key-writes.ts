import type { DatabaseSync } from 'node:sqlite'
import type { NewApiKey } from '../../inventory/keys.ts'

/** The writes of keys. Each runs inside a transaction of the writer. */
export function keyWrites(db: DatabaseSync) {
  const insert = db.prepare(`
    INSERT INTO api_keys (id, name, permission, hash, created_at, expires_at) VALUES (?, ?, ?, ?, ?, ?)`)
  const revoke = db.prepare('UPDATE api_keys SET revoked_at = ifnull(revoked_at, ?) WHERE id = ?')
  const end = db.prepare('UPDATE api_keys SET expires_at = min(ifnull(expires_at, ?1), ?1) WHERE id = ?2')
  const touch = db.prepare('UPDATE api_keys SET last_used_at = max(ifnull(last_used_at, 0), ?) WHERE id = ?')

  function createKey({ id, name, permission, hash, createdAt, expiresAt }: NewApiKey): void {
    insert.run(id, name, permission, hash, createdAt, expiresAt ?? null)
  }

  return {
    createKey,

    revokeKey({ id, at }: { id: string; at: number }): boolean {
      return revoke.run(at, id).changes > 0
    },

    rotateKey({ id, replacement, until }: { id: string; replacement: NewApiKey; until: number }): boolean {
      if (end.run(until, id).changes === 0) return false
      createKey(replacement)
      return true
    },

    touchKeys(uses: ReadonlyMap<string, number>): void {
      for (const [id, at] of uses) touch.run(at, id)
    },
  }
}
