import type { Permission } from '../contract/operation.ts'

/** What is known of an API key. The key itself is not: only its SHA-256 is kept. Times are milliseconds since 1970. */
export interface ApiKey {
  id: string
  name: string
  permission: Permission
  createdAt: number
  expiresAt?: number
  revokedAt?: number
  lastUsedAt?: number
}

export interface NewApiKey {
  id: string
  name: string
  permission: Permission
  hash: string
  createdAt: number
  expiresAt?: number
}

/** Where keys are kept. test/storage/keys.test.ts defines it for every engine. */
export interface Keys {
  /** The key with this hash, be it revoked or expired. As it is now, or as another process left it within the last second. */
  find(hash: string): Promise<ApiKey | undefined>

  /** Those of the keys with these ids that exist, in any order, be they revoked or expired. As they are now. */
  findByIds(ids: readonly string[]): Promise<ApiKey[]>

  /** All keys ever made, oldest first. */
  list(): Promise<ApiKey[]>

  create(key: NewApiKey): Promise<void>

  /**
   * From the moment this resolves `find` tells of it, in this process; in all others that share the storage, within a
   * second. False when no key has this id.
   */
  revoke(id: string, at: number): Promise<boolean>

  /** Adds `replacement` and lets the old key end at `until`, or sooner if it would have, both or neither. */
  rotate(id: string, replacement: NewApiKey, until: number): Promise<boolean>

  /** Remembers when keys were last used. A time that is earlier than the one on record changes nothing. */
  touch(uses: ReadonlyMap<string, number>): Promise<void>
}

export type KeyState = 'active' | 'expired' | 'revoked'

export function keyState(key: ApiKey, now: number): KeyState {
  if (key.revokedAt !== undefined) return 'revoked'
  return key.expiresAt !== undefined && key.expiresAt <= now ? 'expired' : 'active'
}
