import type { DatabaseSync } from 'node:sqlite'

/** The write of keys that applies no rule. It runs inside a transaction of the writer. */
export function keyWrites(db: DatabaseSync) {
  const touch = db.prepare('UPDATE api_keys SET last_used_at = max(ifnull(last_used_at, 0), ?) WHERE id = ?')

  return {
    touchKeys(uses: ReadonlyMap<string, number>): void {
      for (const [id, at] of uses) touch.run(at, id)
    },
  }
}
