import { type Permission, permissions } from '../../../contract/operation.ts'
import type { ApiKey, NewApiKey } from '../../../inventory/keys.ts'
import { columnsOf } from '../../../inventory/snapshot.ts'
import { decodeReadable, isText, isTime, UnreadableRow } from './unreadable-row.ts'

/** Without the hash. */
export const keyColumns = columnsOf.api_keys.filter((column) => column !== 'hash').join(', ')

export type KeyRow = [
  id: string,
  name: string,
  permission: Permission,
  createdAt: bigint,
  expiresAt: bigint | null,
  revokedAt: bigint | null,
  lastUsedAt: bigint | null,
  replacedBy: string | null,
]

const known: ReadonlySet<string> = new Set(permissions)

export function toKey(row: KeyRow): ApiKey {
  const [id, name, permission, createdAt, expiresAt, revokedAt, lastUsedAt, replacedBy] = row
  if (!isText(name)) throw new UnreadableRow('API key', id, 'it has no name')
  if (!known.has(permission)) {
    throw new UnreadableRow('API key', id, `it has the permission ${JSON.stringify(permission)}`)
  }
  for (const at of [createdAt, expiresAt ?? 0n, revokedAt ?? 0n, lastUsedAt ?? 0n]) {
    if (!isTime(at)) throw new UnreadableRow('API key', id, `${at} is not a time`)
  }
  return {
    id,
    name,
    permission,
    createdAt: Number(createdAt),
    ...(expiresAt !== null && { expiresAt: Number(expiresAt) }),
    ...(revokedAt !== null && { revokedAt: Number(revokedAt) }),
    ...(lastUsedAt !== null && { lastUsedAt: Number(lastUsedAt) }),
    ...(replacedBy !== null && { replacedBy }),
  }
}

/** The keys of these rows. Of several, one that cannot be read is left out; one alone fails. */
export function toKeys(rows: readonly KeyRow[]): ApiKey[] {
  return rows.length === 1 ? rows.map(toKey) : decodeReadable(rows, toKey)
}

/** The members of a key that rules change, after its id. */
export const changedKeyColumns = 'name, expires_at, revoked_at, replaced_by'

export function toChangedKeyRow({ name, expiresAt, revokedAt, replacedBy }: ApiKey) {
  return [name, expiresAt ?? null, revokedAt ?? null, replacedBy ?? null] as const
}

/** The columns of a new key. */
export const newKeyColumns = columnsOf.api_keys.slice(0, 6).join(', ')

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
