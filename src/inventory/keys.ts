import type { Permission } from '../contract/operation.ts'

/** An API key without its secret, of which only the SHA-256 is stored. Times are milliseconds since 1970. */
export interface ApiKey {
  id: string
  name: string
  permission: Permission
  createdAt: number
  expiresAt?: number
  revokedAt?: number
  lastUsedAt?: number
  /** The id of the key that the last rotation made in its place. */
  replacedBy?: string
}

export interface NewApiKey {
  id: string
  name: string
  permission: Permission
  hash: string
  createdAt: number
  expiresAt?: number
}

/**
 * The id of the admin key that changes keys. What it may not do is checked in the transaction of the change. Without
 * one it is the command line, which may do everything.
 */
export type KeyAdmin = string

/** The admin key does not work any more. Nothing was written. */
type Unauthorized = { outcome: 'unauthorized' }

export type KeyCreation =
  | { outcome: 'created' }
  | Unauthorized
  /** The key would have expired already. Nothing was written. */
  | { outcome: 'expired' }

export type KeyRenaming =
  | { outcome: 'renamed'; key: ApiKey }
  /** No key has this id. */
  | { outcome: 'missing' }
  | Unauthorized

export type KeyRevocation =
  | { outcome: 'revoked'; key: ApiKey }
  /** No key has this id. */
  | { outcome: 'missing' }
  | Unauthorized
  /** No other admin key works as long as this one. Nothing was written. */
  | { outcome: 'last' }

export type KeyRotation =
  /** `replaced` is the old key with its new expiry. */
  | { outcome: 'rotated'; replaced: ApiKey }
  | { outcome: 'missing' }
  /** The key of an earlier rotation still works. Nothing was written. */
  | { outcome: 'replaced'; successorId: string }
  /** The old key is revoked or has expired. Nothing was written. */
  | { outcome: 'ended'; state: KeyState }
  | Exclude<KeyCreation, { outcome: 'created' }>
  | { outcome: 'last' }

/** The API keys. test/storage/keys.test.ts and key-changes.test.ts define it for every engine. */
export interface Keys {
  /** The key with this hash, also if revoked or expired. Changes by other processes may be up to a second late. */
  find(hash: string): Promise<ApiKey | undefined>

  /** The key that `find` would resolve to, if the engine can tell without waiting. */
  recall(hash: string): ApiKey | undefined

  /** The existing keys with these ids, in any order, also revoked and expired ones. Never late. */
  findByIds(ids: readonly string[]): Promise<ApiKey[]>

  /** All keys ever created, oldest first. */
  list(): Promise<ApiKey[]>

  create(key: NewApiKey, by?: KeyAdmin): Promise<KeyCreation>

  /** `find` sees the name when this resolves, in this process, and within a second in all others. */
  rename(id: string, name: string, at: number, by?: KeyAdmin): Promise<KeyRenaming>

  /**
   * `find` sees the revocation when this resolves, in this process, and within a second in all others. A revoked key
   * keeps the time of its first revocation.
   */
  revoke(id: string, at: number, by?: KeyAdmin): Promise<KeyRevocation>

  /** Adds `replacement` and sets the expiry of the old key to `until`, unless it is earlier; both or neither. */
  rotate(id: string, replacement: NewApiKey, until: number, by?: KeyAdmin): Promise<KeyRotation>

  /** Stores when keys were last used. Ignores a time earlier than the stored one. */
  touch(uses: ReadonlyMap<string, number>): Promise<void>
}

/** When a successor of this key expires by default: when this one would have, had it never been rotated. */
export async function inheritedExpiry(
  keys: Pick<Keys, 'findByIds'>,
  { expiresAt, replacedBy }: ApiKey,
): Promise<number | undefined> {
  const [earlier] = replacedBy === undefined ? [] : await keys.findByIds([replacedBy])
  return earlier === undefined ? expiresAt : earlier.expiresAt
}

export type KeyState = 'active' | 'expired' | 'revoked'

export function keyState(key: ApiKey, now: number): KeyState {
  if (key.revokedAt !== undefined) return 'revoked'
  return key.expiresAt !== undefined && key.expiresAt <= now ? 'expired' : 'active'
}
