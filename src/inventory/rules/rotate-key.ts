import { type KeyAdmin, type KeyRotation, keyState, type NewApiKey } from '../keys.ts'
import { shortensAdminAccess } from './admin-keys.ts'
import { createKey } from './create-key.ts'
import { changed, type Decision, unchanged } from './decision.ts'
import type { Facts } from './facts.ts'

export interface RotateKey {
  id: string
  replacement: NewApiKey
  /** When the old key expires, unless it does so earlier. */
  until: number
  by?: KeyAdmin | undefined
}

/**
 * A key that works can be replaced, but not again while its successor works. An admin may not shorten the time for which
 * the shop has an admin key.
 */
export function rotateKey(facts: Facts, { id, replacement, until, by }: RotateKey): Decision<KeyRotation> {
  const at = replacement.createdAt
  const old = facts.key(id)
  if (old === undefined) return unchanged({ outcome: 'missing' })
  const state = keyState(old, at)
  if (state !== 'active') return unchanged({ outcome: 'ended', state })
  const creation = createKey(facts, { ...replacement, by })
  if (creation.outcome.outcome !== 'created') return unchanged(creation.outcome)
  const earlier = old.replacedBy === undefined ? undefined : facts.key(old.replacedBy)
  if (earlier !== undefined && keyState(earlier, at) === 'active') {
    return unchanged({ outcome: 'replaced', successorId: earlier.id })
  }
  const replaced = { ...old, expiresAt: Math.min(until, old.expiresAt ?? until), replacedBy: replacement.id }
  if (by !== undefined && shortensAdminAccess(facts, old, [replaced, replacement], at)) {
    return unchanged({ outcome: 'last' })
  }
  return changed({ outcome: 'rotated', replaced }, [{ type: 'key.changed', key: replaced }, ...creation.changes])
}
