import { type ApiKey, type KeyAdmin, keyState } from '../keys.ts'
import type { Facts } from './facts.ts'

/** Whether the admin key still works. The command line always does, and so does a key of the settings: it is not stored. */
export function mayChangeKeys(facts: Facts, by: KeyAdmin | undefined, at: number): boolean {
  const admin = by === undefined ? undefined : facts.key(by)
  return admin === undefined || keyState(admin, at) === 'active'
}

/**
 * Whether replacing `old` by `successors` would bring forward the moment at which the last admin key stops working. No
 * admin may do that: the others would be locked out, at once or when the remaining keys expire.
 */
export function shortensAdminAccess(
  facts: Facts,
  old: ApiKey,
  successors: readonly Pick<ApiKey, 'permission' | 'expiresAt'>[],
  at: number,
): boolean {
  if (old.permission !== 'admin' || keyState(old, at) !== 'active') return false
  const others = facts.adminKeys().filter(({ id }) => id !== old.id)
  const remaining = [...others, ...successors.filter(({ permission }) => permission === 'admin')]
  return !remaining.some((key) => endOf(key) >= endOf(old))
}

function endOf({ expiresAt = Number.POSITIVE_INFINITY }: Pick<ApiKey, 'expiresAt'>): number {
  return expiresAt
}
