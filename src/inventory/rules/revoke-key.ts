import type { KeyAdmin, KeyRevocation } from '../keys.ts'
import { shortensAdminAccess, mayChangeKeys } from './admin-keys.ts'
import { changed, type Decision, unchanged } from './decision.ts'
import type { Facts } from './facts.ts'

export interface RevokeKey {
  id: string
  at: number
  by?: KeyAdmin | undefined
}

/** An admin may revoke every key, also their own, except the admin key that works longest. */
export function revokeKey(facts: Facts, { id, at, by }: RevokeKey): Decision<KeyRevocation> {
  if (!mayChangeKeys(facts, by, at)) return unchanged({ outcome: 'unauthorized' })
  const key = facts.key(id)
  if (key === undefined) return unchanged({ outcome: 'missing' })
  if (key.revokedAt !== undefined) return unchanged({ outcome: 'revoked', key })
  if (by !== undefined && shortensAdminAccess(facts, key, [], at)) return unchanged({ outcome: 'last' })
  const revoked = { ...key, revokedAt: at }
  return changed({ outcome: 'revoked', key: revoked }, [{ type: 'key.changed', key: revoked }])
}
