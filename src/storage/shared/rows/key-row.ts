import type { Permission } from '../../../contract/operation.ts'
import type { ApiKey, NewApiKey } from '../../../inventory/keys.ts'

export const keyColumns = 'id, name, permission, created_at, expires_at, revoked_at, last_used_at'

export type KeyRow = [
  id: string,
  name: string,
  permission: Permission,
  createdAt: bigint,
  expiresAt: bigint | null,
  revokedAt: bigint | null,
  lastUsedAt: bigint | null,
]

export function toKey([id, name, permission, createdAt, expiresAt, revokedAt, lastUsedAt]: KeyRow): ApiKey {
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

export type NewKeyRow = [
  id: string,
  name: string,
  permission: Permission,
  hash: string,
  createdAt: number,
  expiresAt: number | null,
]

export function toNewKeyRow({ id, name, permission, hash, createdAt, expiresAt }: NewApiKey): NewKeyRow {
  return [id, name, permission, hash, createdAt, expiresAt ?? null]
}
