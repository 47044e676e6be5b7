import type { KeyAdmin, KeyCreation, NewApiKey } from '../keys.ts'
import { mayChangeKeys } from './admin-keys.ts'
import { changed, type Decision, unchanged } from './decision.ts'
import type { Facts } from './facts.ts'

export interface CreateKey extends NewApiKey {
  by?: KeyAdmin
}

/** An admin may make a key of any permission that has not expired yet. */
export function createKey(facts: Facts, { by, ...key }: CreateKey): Decision<KeyCreation> {
  const { createdAt, expiresAt } = key
  if (!mayChangeKeys(facts, by, createdAt)) return unchanged({ outcome: 'unauthorized' })
  if (by !== undefined && expiresAt !== undefined && expiresAt <= createdAt) return unchanged({ outcome: 'expired' })
  return changed({ outcome: 'created' }, [{ type: 'key.created', key }])
}
